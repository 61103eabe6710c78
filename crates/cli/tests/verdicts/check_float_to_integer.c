// expect: true property: no-float-to-integer-overflow
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x > -1 && x < 256)) return 0;
  unsigned char c = (unsigned char)x;
  return c;
}
