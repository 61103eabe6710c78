// expect: false(unreach-call) config: value-cegar set: counterexamples=all also: predicate
// One of two errors is there; refuting all paths at once must not lose it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int state = 0, left = 0, right = 0;
  for (int i = 0; i < 3; i++) {
    if (state == 0) {
      left = left + 1;
      state = 1;
    } else {
      right = right + 1;
      state = 0;
    }
    if (state == 0 && left != right) reach_error();
    if (state == 1 && left == 2) reach_error(); // violation
  }
  return 0;
}
