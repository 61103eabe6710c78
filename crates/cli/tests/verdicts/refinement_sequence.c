// expect: true config: symbolic-thesis-predicates

// The precision is the variables of interpolants; the noise of the loop is not among them.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int noise = 0;
  int mode = 0;
  for (int i = 0; i < 3; i++) {
    noise = noise * 3 + i;
  }
  if (x > 10) {
    mode = 1;
  }
  if (mode == 1 && x < 5) {
    reach_error();
  }
  return noise;
}
