// expect: false(unreach-call) config: value set: max-enum=3
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x >= 10 && x <= 13) { // Four values: one too many.
    if (x == 13)
      reach_error(); // violation
  }
  return 0;
}
