// expect: true config: value-cegar each: refinement=binary-backward,binary-forward,newton-sp,newton-sp-core-live,newton-wp,newton-wp-core-live,unsat-core

// Callers' variables, globals and memory through a pointer are all needed.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int state;
static void set(int *p, int v) {
  *p = v;
  state = v + 1;
}

int main(void) {
  int cell = 0;
  int noise = __VERIFIER_nondet_int();
  int before = 7;
  set(&cell, 3);
  if (noise > 2) {
    noise--;
  }
  if (cell != 3 || state != 4 || before != 7) {
    reach_error();
  }
  return 0;
}
