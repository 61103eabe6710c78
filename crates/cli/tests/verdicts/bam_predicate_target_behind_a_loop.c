// expect: false(unreach-call) config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// The way out of the loop leads straight to the error.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int i;
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (;;) {
    if (i > 3 && n == i) goto out;
    if (i > 5) return 0;
    i++;
  }
out:
  reach_error(); // violation
  return 0;
}
