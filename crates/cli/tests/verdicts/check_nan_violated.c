// expect: false(no-nan) property: no-nan
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x >= 0 && x <= 1)) return 0;
  double y = x / x; // violation
  return y > 1;
}
