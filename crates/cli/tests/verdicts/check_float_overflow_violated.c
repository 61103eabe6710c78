// expect: false(no-float-overflow) property: no-float-overflow
extern float __VERIFIER_nondet_float(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= 0 && x <= 1e30f)) return 0;
  float y = x * 1e10f; // violation
  return y > 1;
}
