// expect: true
// The functions on floats that are computed: remainders, scales, neighbours, exponents and rounding to integers.
#include <math.h>
extern void reach_error(void);
#define CHECK(condition) \
  if (!(condition)) reach_error();
int main(void) {
  int e, q;
  CHECK(remainder(5.0, 2.0) == 1.0 && remainder(7.0, 2.0) == -1.0 && remainder(-5.0, 3.0) == 1.0 && isnan(remainder(1.0, 0.0)))
  CHECK(remquo(29.0, 3.0, &q) == -1.0 && (q & 7) == 2)
  CHECK(fma(0x1p-30 + 1, 0x1p-30 + 1, -1.0) == 0x1p-29 + 0x1p-60)
  CHECK(ldexp(0.75, 4) == 12.0 && ldexp(1.0, -1074) == 0x1p-1074 && ldexp(1.0, 2000) == INFINITY && scalbn(3.0, -1) == 1.5)
  CHECK(frexp(12.0, &e) == 0.75 && e == 4)
  CHECK(frexp(0.0, &e) == 0.0 && e == 0)
  CHECK(nextafter(1.0, 2.0) == 1.0 + 0x1p-52 && nextafter(0.0, -1.0) == -0x1p-1074 && nextafterf(1.0f, 0.0f) == 1.0f - 0x1p-24f)
  CHECK(logb(10.0) == 3.0 && logb(0.0) == -INFINITY && ilogb(0.125) == -3 && ilogb(1e300) == 996)
  CHECK(lround(2.5) == 3 && lround(-2.5) == -3 && llround(-0.4) == 0 && lrint(2.5) == 2 && llrint(3.5) == 4)
  CHECK(hypot(3.0, 4.0) == 5.0 && cbrt(-0.0) == 0.0 && fdim(3.0, 5.0) == 0.0 && fmod(-7.5, 2.0) == -1.5)
  CHECK(round(-2.5) == -3.0 && rint(-2.5) == -2.0 && trunc(-2.9) == -2.0 && ceil(-0.5) == 0.0 && floor(-0.5) == -1.0)
  return 0;
}
