// expect: false(unreach-call) also: symbolic,bam-symbolic,bam-symbolic-cegar
// The loop inside the function brings symbols to a normal form; the caller's symbols must keep their meaning.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int hits;
int second(int a, int b) {
  int i = 0;
  while (i < 2) {
    i++;
    if (b == 77) hits = 1;
  }
  return a;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  __VERIFIER_assume(x < 10);
  __VERIFIER_assume(y > 20);
  int r = second(y, x);
  if (r > 15) reach_error(); // violation
  return 0;
}
