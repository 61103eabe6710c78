// expect: false(no-float-to-integer-overflow) property: no-float-to-integer-overflow
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x < 0) return 0;
  unsigned char c = (unsigned char)x; // violation
  return c;
}
