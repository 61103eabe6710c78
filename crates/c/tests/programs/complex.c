/* Complex numbers: arithmetic, halves, conversions, comparisons, arguments and results. */
#include <complex.h>
extern void __VERIFIER_error(void);
#define CHECK(e) do { if (!(e)) __VERIFIER_error(); } while (0)
_Complex double gz = 1.0 + 2.0i;
static double complex const gc = 3.0;
_Complex float gf[2] = {1.0f, 2.0fi};
static double complex f(double complex a, double complex b) { return a * b; }
static _Complex int ci(_Complex int a) { return a + 1; }
volatile double two = 2.0;
int main(void) {
  double complex a = 1.0 + 2.0 * I, b = 3.0 - 1.0 * I;
  double complex c = a * b;
  CHECK(__real__ c == 5.0 && __imag__ c == 5.0);
  c = a / b; CHECK(__real__ (c * 10) > 0.99 && __imag__ (c * 10) < 7.01);
  CHECK(creal(a) == 1.0 && cimag(a) == 2.0);
  c = a + two; CHECK(c == 3.0 + 2.0i);
  c = two - a; CHECK(creal(c) == 1.0 && cimag(c) == -2.0);
  c = a * two; CHECK(c == 2.0 + 4.0i);
  c = two * a; CHECK(c == 2.0 + 4.0i);
  c = a / two; CHECK(c == 0.5 + 1.0i);
  __real__ c = 7.0; __imag__ c += 1.0; CHECK(c == 7.0 + 2.0i);
  c = f(a, gz); CHECK(creal(c) == -3.0 && cimag(c) == 4.0);
  c = -a; CHECK(cimag(c) == -2.0);
  c = ~a; CHECK(cimag(c) == -2.0 && creal(c) == 1.0);
  c = conj(a); CHECK(cimag(c) == -2.0);
  CHECK(a != b); CHECK(!(a == b));
  if (a) ; else __VERIFIER_error();
  c = 0.0; CHECK(!c);
  c += a; c *= b; c -= 1.0; CHECK(c == 4.0 + 5.0i);
  c /= 2.0; CHECK(c == 2.0 + 2.5i);
  double r = c; CHECK(r == 2.0);
  float complex g = c; CHECK(crealf(g) == 2.0f && cimagf(g) == 2.5f);
  _Complex int i = 3 + 4i; i = ci(i) * i; CHECK(__real__ i == 4 * 3 - 16 && __imag__ i == 16 + 12);
  CHECK(gf[1] == 2.0fi && gc == 3.0);
  c = __builtin_complex(1.0, -0.0); CHECK(__builtin_signbit(__imag__ c) != 0);
  struct { char c; double complex z; } s = { 1, a }; s.z++; CHECK(s.z == 2.0 + 2.0i);
  double complex arr[2] = {a, 5}; CHECK(arr[1] == 5.0);
  double *p = (double *)arr; CHECK(p[1] == 2.0);
  c = two > 1 ? a : b; CHECK(c == a);
  long double complex ld = a; ld = ld * ld; CHECK(ld == -3.0L + 4.0Li);
  _Complex unsigned char uc = 200 + 100i; uc += 100; CHECK(__real__ uc == 44);
  CHECK(sizeof(c) == 16);
  int k = (int)a; CHECK(k == 1);
  _Bool bb = a; CHECK(bb);
  CHECK(__imag__ 3.0 == 0.0 && __real__ 4 == 4);
  double inf = __builtin_inf(), nan = __builtin_nan("");
  c = __builtin_complex(inf, nan) * __builtin_complex(two, nan); CHECK(creal(c) == inf);
  c = __builtin_complex(nan, 1e300) / __builtin_complex(0.0, -0.0); CHECK(cimag(c) == inf);
  c = __builtin_complex(1e307, 1e307) / __builtin_complex(1e307 * two, 1e307); CHECK(creal(c) > 0.59 && cimag(c) < 0.21);
  c = __builtin_complex(inf, 1.0) / __builtin_complex(two, 1.0); CHECK(creal(c) == inf && cimag(c) == -inf);
  c = __builtin_complex(two, 1.0) / __builtin_complex(inf, nan); CHECK(creal(c) == 0.0);
  g = 1.0f; g /= 3.0f + 1.0fi; CHECK(crealf(g) == 0.3f && cimagf(g) == -0.1f);
  return 0;
}
