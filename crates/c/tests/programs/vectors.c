/* Vectors of the compiler: operators, parts, conversions, shuffles, arguments and results. */
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned u4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
typedef signed char c16 __attribute__((vector_size(16)));
typedef long long l2 __attribute__((vector_size(16)));
typedef int v2 __attribute__((vector_size(8)));
extern void __VERIFIER_error(void);
#define CHECK(e) do { if (!(e)) __VERIFIER_error(); } while (0)
v4 g = {1, 2, 3, 4};
const f4 gf = {1.5f, 2.5f};
struct s { int a; v4 v; char c; } gs = { 1, {5, 6, 7, 8}, 3 };
static v4 add(v4 a, v4 b) { return a + b; }
static v4 scale(v4 a, int k) { a *= k; return a; }
static int sum(v4 a) { int s = 0; for (int i = 0; i < 4; i++) s += a[i]; return s; }
int volatile one = 1;
int main(void) {
  v4 a = {1, 2, 3, 4}, b = {10, 20, 30, 40};
  v4 c = a + b;
  CHECK(c[0] == 11 && c[3] == 44);
  c = a * b - g;
  CHECK(sum(c) == 10 + 40 + 90 + 160 - 10);
  CHECK(sum(add(a, b)) == 110 && sum(a) == 10);
  c = scale(a, 3);
  CHECK(c[1] == 6 && a[1] == 2);
  v4 m = a < (v4){2, 2, 9, 9};
  CHECK(m[0] == -1 && m[1] == 0 && m[2] == -1);
  c = (a & m) | (b & ~m);
  CHECK(c[0] == 1 && c[1] == 20 && c[2] == 3);
  c = a << 2; CHECK(c[3] == 16);
  c = 100 - a; CHECK(c[3] == 96);
  c = -a; CHECK(c[2] == -3);
  c >>= (v4){0, 1, 1, 1}; CHECK(c[0] == -1 && c[1] == -1 && c[2] == -2);
  a[2] = 77; a[one] += 5; CHECK(a[2] == 77 && a[1] == 7);
  a[0]++; CHECK(a[0] == 2);
  f4 x = {1, 2, 3, 4}, y = x / 2.0f; CHECK(y[2] == 1.5f);
  v4 fm = x > y; CHECK(fm[0] == -1);
  y = gf + 1.0f; CHECK(y[0] == 2.5f && y[3] == 1.0f);
  u4 bits = (u4)x; CHECK(bits[0] == 0x3f800000u);
  d2 d = {0.5, 0.25}; d += d; CHECK(d[1] == 0.5);
  c16 ch = (c16)g; CHECK(ch[0] == 1 && ch[4] == 2);
  s8 sh = {1,2,3,4,5,6,7,8}; sh = sh * sh; CHECK(sh[7] == 64);
  l2 l = (l2)g; CHECK(l[0] == 0x200000001LL);
  c = __builtin_shuffle(b, (v4){3, 2, 1, 0}); CHECK(c[0] == 40 && c[3] == 10);
  c = __builtin_shuffle(a, b, (v4){0, 4, 1, 7}); CHECK(c[1] == 10 && c[3] == 40);
  c = __builtin_convertvector(x, v4); CHECK(c[3] == 4);
  struct s t = gs; t.v += 1; CHECK(t.v[0] == 6 && gs.v[0] == 5 && t.c == 3);
  v4 arr[3] = {{1}, {2, 3}, a}; CHECK(arr[1][1] == 3 && arr[2][0] == 2 && arr[0][1] == 0);
  v4 *p = &arr[1]; (*p)[3] = 9; p[1] -= *p; CHECK(arr[1][3] == 9 && arr[2][0] == 0);
  int *q = (int *)&arr[1]; CHECK(q[3] == 9);
  c = one ? a : b; CHECK(c[0] == 2);
  c++; CHECK(c[0] == 3); b = c--; CHECK(b[0] == 3 && c[0] == 2);
  c = a == a; CHECK(c[0] == -1);
  v2 h = {1, 2}; h = h + h; CHECK(h[1] == 4);
  unsigned long long w = (unsigned long long)h; CHECK(w == 0x400000002ULL);
  v4 z = {}; CHECK(z[2] == 0);
  c = b % 3; CHECK(c[0] == 0);
  CHECK(sizeof(v4) == 16 && _Alignof(v4) == 16);
  union { v4 v; int i[4]; } u = { .v = {1,2,3,4} }; CHECK(u.i[2] == 3);
  return 0;
}
