// expect: true config: value-predicate set: patience=50 also: predicate
// Exploration loses its patience and begins again without values: what only they knew is said by predicates.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int mode = 3, ticks = 0, seen = 0;
  while (__VERIFIER_nondet_int()) {
    if (mode == 3) {
      mode = 5;
      seen = 1;
    } else if (mode == 5) {
      mode = 9;
    } else {
      mode = 3;
    }
    ticks++;
    if (mode != 3 && mode != 5 && mode != 9) reach_error();
  }
  if (mode != 3 && !seen) reach_error();
  return 0;
}
