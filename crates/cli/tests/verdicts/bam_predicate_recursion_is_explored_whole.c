// expect: false(unreach-call) config: bam-predicate set: block-size=0 set: blocks=both set: call-depth=20
// A recursive function has no summaries of predicates; the program is explored as a whole.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int half(int n) { return n < 2 ? 0 : 1 + half(n - 2); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 8 && half(n) == 3) reach_error(); // violation
  return 0;
}
