// expect: false(unreach-call) config: fuzz

// The violation lies between two constants of the program.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
int main(void) {
  float x = __VERIFIER_nondet_float();
  __VERIFIER_assume(x > -0.25f && x < 1.5f);
  float y = x - (x * x * x) / 6.0f;
  if (y > 0.7f && y < 0.8f)
    reach_error(); // violation
  return 0;
}
