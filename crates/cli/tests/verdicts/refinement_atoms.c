// expect: true config: value-cegar set: refinement=atoms

// The bound of the counter is found from the comparisons of the path.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int state;

static int next(int s) { return s == 2 ? 0 : s + 1; }

int main(void) {
  int noise = 0;
  state = 0;
  while (__VERIFIER_nondet_int()) {
    noise = noise * 5 + 1;
    state = next(state);
    if (state > 2) {
      reach_error();
    }
  }
  return noise & 1;
}
