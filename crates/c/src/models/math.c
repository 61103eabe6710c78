/* Functions on floats that are exact on every machine with IEEE 754. What they do with a NaN is a NaN, whatever its bits. */
double trunc(double), fmod(double, double), fabs(double), copysign(double, double), sin(double), cos(double);
float truncf(float), fmodf(float, float), fabsf(float), copysignf(float, float), sinf(float), cosf(float);
long double truncl(long double), fmodl(long double, long double), fabsl(long double), copysignl(long double, long double);
long double sinl(long double), cosl(long double);
typedef unsigned long long __assay_bits;
union __assay_d { double f; __assay_bits b; };
union __assay_f { float f; unsigned b; };
union __assay_l { long double f; struct { __assay_bits m; unsigned short e; } b; };

/* For a type: its bits, how many of them are the fraction, the bias, and two to the power of the fraction plus two. */
#define __ASSAY_FUNCTIONS(type, u, bits, fraction, bias, wide, x_) \
type modf##x_(type x, type *whole) { \
  if (x != x) { *whole = x; return x; } \
  *whole = trunc##x_(x); \
  return copysign##x_(x == *whole ? 0 : x - *whole, x); \
} \
static int __assay_exponent##x_(type x) { \
  union u v; \
  int shift = 0; \
  v.f = fabs##x_(x); \
  if (v.b >> fraction == 0) { v.f = v.f * wide; shift = fraction + 2; } \
  return (int)(v.b >> fraction) - bias - shift; \
} \
type frexp##x_(type x, int *power) { \
  union u v; \
  if (x == 0 || x != x || x - x != 0) { *power = 0; return x; } \
  v.f = x; \
  *power = __assay_exponent##x_(x) + 1; \
  if ((v.b >> fraction & (2 * bias + 1)) == 0) v.f = x * wide; \
  v.b = (v.b & ~((bits)(2 * bias + 1) << fraction)) | (bits)(bias - 1) << fraction; \
  return v.f; \
} \
static type __assay_power##x_(int n) { union u v; v.b = (bits)(n + bias) << fraction; return v.f; } \
static type __assay_scale##x_(type x, long n) { \
  int step = bias - 1 - fraction - 1; \
  if (n > bias) { x *= __assay_power##x_(bias); n -= bias; if (n > bias) { x *= __assay_power##x_(bias); n -= bias; if (n > bias) n = bias; } } \
  else if (n < 1 - bias) { \
    x *= __assay_power##x_(-step); n += step; \
    if (n < 1 - bias) { x *= __assay_power##x_(-step); n += step; if (n < 1 - bias) n = 1 - bias; } \
  } \
  return x * __assay_power##x_((int)n); \
} \
type ldexp##x_(type x, int n) { return __assay_scale##x_(x, n); } \
type scalbn##x_(type x, int n) { return __assay_scale##x_(x, n); } \
type scalbln##x_(type x, long n) { return __assay_scale##x_(x, n); } \
type logb##x_(type x) { \
  if (x == 0) return -1 / fabs##x_(x); \
  if (x != x || x - x != 0) return x * x; \
  return (type)__assay_exponent##x_(x); \
} \
int ilogb##x_(type x) { \
  if (x == 0) return -2147483647 - 1; \
  if (x != x) return -2147483647 - 1; \
  if (x - x != 0) return 2147483647; \
  return __assay_exponent##x_(x); \
} \
static type __assay_next##x_(type x, int up) { \
  union u v; \
  v.f = x; \
  if (x == 0) { v.b = 1; return up ? v.f : -v.f; } \
  if ((x > 0) == (up != 0)) v.b++; else v.b--; \
  return v.f; \
} \
type nextafter##x_(type x, type y) { \
  if (x != x || y != y) return x + y; \
  return x == y ? y : __assay_next##x_(x, x < y); \
} \
type nexttoward##x_(type x, long double y) { \
  if (x != x || y != y) return (type)(x + y); \
  return x == y ? (type)y : __assay_next##x_(x, x < y); \
}
__ASSAY_FUNCTIONS(double, __assay_d, __assay_bits, 52, 1023, 0x1p54, )
__ASSAY_FUNCTIONS(float, __assay_f, unsigned, 23, 127, 0x1p25f, f)
double nextup(double x) { return x != x || (x > 0 && x - x != 0) ? x : __assay_next(x, 1); }
double nextdown(double x) { return x != x || (x < 0 && x - x != 0) ? x : __assay_next(x, 0); }
double significand(double x) { return x == 0 || x != x || x - x != 0 ? x : __assay_scale(x, -__assay_exponent(x)); }
long llogb(double x) {
  if (x == 0 || x != x) return -__LONG_MAX__ - 1;
  return x - x != 0 ? __LONG_MAX__ : __assay_exponent(x);
}

/* The 80 bits of x86 have their leading one written out. */
long double modfl(long double x, long double *whole) {
  if (x != x) { *whole = x; return x; }
  *whole = truncl(x);
  return copysignl(x == *whole ? 0 : x - *whole, x);
}
static int __assay_exponentl(long double x) {
  union __assay_l v;
  int shift = 0;
  v.f = fabsl(x);
  if (v.b.e == 0) { v.f = v.f * 0x1p66L; shift = 66; }
  return (int)v.b.e - 16383 - shift;
}
long double frexpl(long double x, int *power) {
  union __assay_l v;
  if (x == 0 || x != x || x - x != 0) { *power = 0; return x; }
  v.f = x;
  *power = __assay_exponentl(x) + 1;
  if ((v.b.e & 0x7fff) == 0) v.f = x * 0x1p66L;
  v.b.e = (unsigned short)((v.b.e & 0x8000) | 16382);
  return v.f;
}
static long double __assay_powerl(int n) { union __assay_l v; v.b.m = 1ull << 63; v.b.e = (unsigned short)(n + 16383); return v.f; }
static long double __assay_scalel(long double x, long n) {
  if (n > 16383) { x *= __assay_powerl(16383); n -= 16383; if (n > 16383) { x *= __assay_powerl(16383); n -= 16383; if (n > 16383) n = 16383; } }
  else if (n < -16382) {
    x *= __assay_powerl(-16317); n += 16317;
    if (n < -16382) { x *= __assay_powerl(-16317); n += 16317; if (n < -16382) n = -16382; }
  }
  return x * __assay_powerl((int)n);
}
long double ldexpl(long double x, int n) { return __assay_scalel(x, n); }
long double scalbnl(long double x, int n) { return __assay_scalel(x, n); }
long double scalblnl(long double x, long n) { return __assay_scalel(x, n); }
long double logbl(long double x) {
  if (x == 0) return -1 / fabsl(x);
  if (x != x || x - x != 0) return x * x;
  return __assay_exponentl(x);
}
int ilogbl(long double x) {
  if (x == 0 || x != x) return -2147483647 - 1;
  return x - x != 0 ? 2147483647 : __assay_exponentl(x);
}
static long double __assay_nextl(long double x, int up) {
  union __assay_l v;
  v.f = x;
  if (x == 0) { v.b.m = 1; v.b.e = up ? 0 : 0x8000; return v.f; }
  if ((x > 0) == (up != 0)) {
    v.b.m++;
    if (v.b.m == 0) { v.b.m = 1ull << 63; v.b.e++; }
    else if ((v.b.e & 0x7fff) == 0 && v.b.m == 1ull << 63) v.b.e++;
  } else {
    if (v.b.m == 1ull << 63 && (v.b.e & 0x7fff) > 1) { v.b.m = -1ull; v.b.e--; }
    else { v.b.m--; if ((v.b.e & 0x7fff) == 1 && v.b.m < 1ull << 63) v.b.e--; }
  }
  return v.f;
}
long double nextafterl(long double x, long double y) {
  if (x != x || y != y) return x + y;
  return x == y ? y : __assay_nextl(x, x < y);
}
long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }

/* The remainder of a division to the nearest whole number, and the last three bits of that. */
#define __ASSAY_REMAINDER(type, x_, eighth) \
static type __assay_divide##x_(type x, type y, int *quotient) { \
  type a = fabs##x_(x), b = fabs##x_(y), r; \
  int q = 0; \
  *quotient = 0; \
  if (x != x || y != y || a - a != 0 || b == 0) return (x * y) / (x * y); \
  if (b - b != 0) return x; \
  r = b <= eighth ? fmod##x_(a, 8 * b) : a; \
  if (b <= 2 * eighth && r >= 4 * b) { r -= 4 * b; q += 4; } \
  if (b <= 4 * eighth && r >= 2 * b) { r -= 2 * b; q += 2; } \
  if (r >= b) { r -= b; q += 1; } \
  if (b <= 4 * eighth ? r + r > b || (r + r == b && q % 2) : r > b / 2 || (r == b / 2 && q % 2)) { r -= b; q += 1; } \
  q &= 7; \
  *quotient = (x < 0) != (y < 0) ? -q : q; \
  if (r == 0) return copysign##x_(0, x); \
  return x < 0 ? -r : r; \
} \
type remainder##x_(type x, type y) { int q; return __assay_divide##x_(x, y, &q); } \
type drem##x_(type x, type y) { int q; return __assay_divide##x_(x, y, &q); } \
type remquo##x_(type x, type y, int *quotient) { return __assay_divide##x_(x, y, quotient); } \
void sincos##x_(type x, type *s, type *c) { *s = sin##x_(x); *c = cos##x_(x); }
__ASSAY_REMAINDER(double, , 0x1p1020)
__ASSAY_REMAINDER(float, f, 0x1p124f)
__ASSAY_REMAINDER(long double, l, 0x1p16380L)

/* A product of two numbers fits a wider float; the sum is rounded to odd there, so that the second rounding is the only one that counts. */
double fma(double x, double y, double z) {
  union { __float128 f; struct { __assay_bits low, high; } b; } s;
  __float128 p = (__float128)x * y, w = z, rest, error;
  s.f = p + w;
  if (s.f != s.f || s.f - s.f != 0 || s.f == 0) return (double)s.f;
  rest = s.f - p;
  error = (p - (s.f - rest)) + (w - rest);
  if (error != 0 && s.b.low % 2 == 0) {
    if ((error > 0) == (s.f > 0)) { if (++s.b.low == 0) s.b.high++; }
    else { if (s.b.low-- == 0) s.b.high--; }
  }
  return (double)s.f;
}
float fmaf(float x, float y, float z) {
  union __assay_d s;
  double p = (double)x * y, w = z, rest, error;
  s.f = p + w;
  if (s.f != s.f || s.f - s.f != 0 || s.f == 0) return (float)s.f;
  rest = s.f - p;
  error = (p - (s.f - rest)) + (w - rest);
  if (error != 0 && s.b % 2 == 0) { if ((error > 0) == (s.f > 0)) s.b++; else s.b--; }
  return (float)s.f;
}
/* The product of 32 and 64 bits fits, so that x * y is the sum of two numbers; what three numbers lack is put into the last bit of their sum. */
static __float128 __assay_odd(__float128 a, __float128 b) {
  union { __float128 f; struct { __assay_bits low, high; } b; } s;
  __float128 rest, error;
  s.f = a + b;
  rest = s.f - a;
  error = (a - (s.f - rest)) + (b - rest);
  if (error != 0 && s.b.low % 2 == 0) {
    if ((error > 0) == (s.f > 0)) { if (++s.b.low == 0) s.b.high++; }
    else { if (s.b.low-- == 0) s.b.high--; }
  }
  return s.f;
}
long double fmal(long double x, long double y, long double z) {
  union __assay_l top;
  long double size = fabsl(x * y) + fabsl(z);
  __float128 high, low, u, e, t, f, v, g;
  if (x == 0 || y == 0 || z == 0 || size != size || size - size != 0) return x * y + z;
  if (size > 0x1p16000L || fabsl(x * y) < 0x1p-16000L || fabsl(x) > 0x1p16000L || fabsl(y) > 0x1p16000L) return (long double)__assay_any_double() * x * y;
  top.f = x;
  top.b.m = top.b.m >> 32 << 32;
  high = (__float128)top.f * y;
  low = (__float128)(x - top.f) * y;
  u = high + low; t = u - high; e = (high - (u - t)) + (low - t);
  v = e + z; t = v - e; f = (e - (v - t)) + (z - t);
  g = u + v; t = g - u; e = (u - (g - t)) + (v - t);
  return (long double)__assay_odd(g, __assay_odd(f, e));
}
/* As glibc computes it; the wider one is known where it is a number of its type, and enclosed elsewhere. */
double sqrt(double);
long double sqrtl(long double);
float hypotf(float x, float y) {
  if (fabsf(x) > 0x1.fffffep127f || fabsf(y) > 0x1.fffffep127f) return __builtin_inff();
  return (float)sqrt((double)x * x + (double)y * y);
}
double hypot(double x, double y) {
  double a = fabs(x), b = fabs(y), near, any;
  if (a > 0x1.fffffffffffffp1023 || b > 0x1.fffffffffffffp1023) return __builtin_inf();
  if (x != x || y != y) return x + y;
  if (a == 0 || b == 0) return a + b;
  near = (double)sqrtl((long double)a * a + (long double)b * b);
  if (near > 0x1p-500 && near < 0x1p1000 && (__float128)near * near - (__float128)a * a - (__float128)b * b == 0) return near;
  any = __assay_any_double();
  __VERIFIER_assume(any >= near - near * 0x1p-50 - 0x1p-1074 && any <= near + near * 0x1p-50 + 0x1p-1074);
  return any;
}
#define __ASSAY_CUBE_ROOT(type, x_) \
type cbrt##x_(type x) { \
  type any = (type)__assay_any_double(), size = fabs##x_(any), of = fabs##x_(x); \
  if (x == 0 || x != x || x - x != 0) return x; \
  if (of >= 1) __VERIFIER_assume(size >= 0.999999 && size <= of * 1.000001); \
  else __VERIFIER_assume(size <= 1.000001 && size >= of * 0.999999); \
  __VERIFIER_assume((any > 0) == (x > 0)); \
  return any; \
}
__ASSAY_CUBE_ROOT(double, )
__ASSAY_CUBE_ROOT(float, f)
double fmaxmag(double x, double y) {
  double a = fabs(x), b = fabs(y);
  return a > b ? x : a < b ? y : x != x ? y : y != y ? x : x > y ? x : y;
}
double fminmag(double x, double y) {
  double a = fabs(x), b = fabs(y);
  return a < b ? x : a > b ? y : x != x ? y : y != y ? x : x < y ? x : y;
}
static int __assay_minus(double x) { union __assay_d v; v.f = x; return (int)(v.b >> 63); }
double fmaximum(double x, double y) { return x != x || y != y ? x + y : x > y ? x : x < y ? y : __assay_minus(x) ? y : x; }
double fminimum(double x, double y) { return x != x || y != y ? x + y : x < y ? x : x > y ? y : __assay_minus(x) ? x : y; }
double fmaximum_num(double x, double y) { return x != x ? y : y != y ? x : x > y ? x : x < y ? y : __assay_minus(x) ? y : x; }
double fminimum_num(double x, double y) { return x != x ? y : y != y ? x : x < y ? x : x > y ? y : __assay_minus(x) ? x : y; }
