// expect: true config: predicate set: counterexamples=all
// Two errors that are refuted by different predicates: all paths to targets are refuted before the next exploration.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int state = 0, left = 0, right = 0;
  while (__VERIFIER_nondet_int()) {
    if (state == 0) {
      left = left + 1;
      state = 1;
    } else {
      right = right + 1;
      state = 0;
    }
    if (state == 0 && left != right) reach_error();
    if (state == 1 && left == right) reach_error();
  }
  return 0;
}
