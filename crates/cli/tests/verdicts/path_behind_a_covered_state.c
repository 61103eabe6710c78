// expect: false(unreach-call) config: value-cegar
// Values cannot tell that t and kept are equal on the first path. Its states cover those of the second, which is the one that counts.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int t = __VERIFIER_nondet_int();
  int kept = t;
  if (__VERIFIER_nondet_int())
    t = t ^ 1;
  if (t != kept)
    reach_error(); // violation
  return 0;
}
