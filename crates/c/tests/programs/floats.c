// Floats: arithmetic, conversions, comparisons with NaN, library functions that are exact.
extern void __VERIFIER_error(void);
double sqrt(double); double floor(double); double ceil(double); double fabs(double); double fmod(double, double); double trunc(double);
double round(double); float fabsf(float); double copysign(double, double); double fmin(double, double); double modf(double, double *);
#define CHECK(c) do { if (!(c)) __VERIFIER_error(); } while (0)
union bits { float f; unsigned u; } b;
union wide { double d; unsigned long long u; unsigned char c[8]; } w;
float f = 0.1f; double d = 0.1; long double ld = 0.1L;
int main(void) {
  CHECK(f != d && (double)f > d);
  CHECK(0.1 + 0.2 != 0.3 && 0.1f + 0.2f == 0.3f);
  CHECK((int)3.99 == 3 && (int)-3.99 == -3 && (unsigned)3e9 == 3000000000u);
  CHECK((float)16777217 == 16777216.0f && (double)16777217 == 16777217.0);
  CHECK(1.0 / 3 * 3 == 1.0);
  double zero = 0.0, nan = zero / zero, inf = 1.0 / zero;
  CHECK(nan != nan && !(nan == nan) && !(nan < 1) && !(nan > 1) && !(nan <= nan));
  CHECK(inf > 1e308 && -inf < -1e308 && inf == inf + 1);
  CHECK(nan ? 1 : 0);
  CHECK(-zero == zero && 1 / -zero < 0);
  b.f = 1.0f; CHECK(b.u == 0x3f800000u); b.u = 0xc0000000u; CHECK(b.f == -2.0f);
  w.d = -0.0; CHECK(w.u == 1ULL << 63 && w.c[7] == 0x80);
  CHECK(sqrt(2.0) * sqrt(2.0) != 2.0 && sqrt(9.0) == 3.0);
  CHECK(floor(-1.5) == -2 && ceil(-1.5) == -1 && trunc(-1.5) == -1 && round(2.5) == 3 && round(-2.5) == -3);
  CHECK(fabs(-2.5) == 2.5 && fabsf(-2.5f) == 2.5f && fmod(7.5, 2) == 1.5 && copysign(1, -0.0) == -1 && fmin(1, 2) == 1);
  double whole; CHECK(modf(2.75, &whole) == 0.75 && whole == 2);
  CHECK(__builtin_isnan(nan) && __builtin_isinf(inf) && !__builtin_isfinite(inf) && __builtin_signbit(-1.0));
  f = 1e10f; f++; CHECK(f == 1e10f); d = 1.5; d++; CHECK(d == 2.5); d *= 2; d -= 1; CHECK(d == 4);
  int i = 5; i /= 0.5; CHECK(i == 10);
  long double x = 1.0L; x /= 3; CHECK(x * 3 == 1.0L && x != (double)(1.0 / 3));
  CHECK((long long)1e15 == 1000000000000000LL && (float)(1ULL << 63) == 9223372036854775808.0f);
  CHECK(sizeof(float) == 4 && sizeof(double) == 8);
  CHECK(0x1.8p1 == 3.0);
  return 0;
}
