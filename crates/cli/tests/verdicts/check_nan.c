// expect: true property: no-nan
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x >= 0.5 && x <= 1)) return 0;
  double y = x / x;
  return y > 1;
}
