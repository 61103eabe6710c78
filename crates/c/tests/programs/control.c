// Loops, switch, goto, recursion, function pointers, variable arguments, statement expressions, static locals.
extern void __VERIFIER_error(void);
void abort(void);
#define CHECK(c) do { if (!(c)) __VERIFIER_error(); } while (0)
int counter(void) { static int n = 10; static int seen[2]; seen[n & 1]++; return n++ + 0 * seen[0]; }
int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
int odd(int); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; } long other(long a) { return a; }
int (*ops[])(int, int) = { add, sub, &add };
int apply(int (*f)(int, int), int a, int b) { return (*f)(a, b); }
int total(int n, ...) {
  __builtin_va_list ap, copy; int s = 0; __builtin_va_start(ap, n); __builtin_va_copy(copy, ap);
  for (int i = 0; i < n; i++) s += __builtin_va_arg(ap, int);
  s += 100 * __builtin_va_arg(copy, int); __builtin_va_end(ap); return s + (int)__builtin_va_arg(ap, double);
}
int kr(a, b) int a; char b; { return a * b; }
int classify(unsigned c) { switch (c) { case 0: return 0; case 1 ... 9: case 20: c = 100; case 30: c++; break; default: c = 7; case 40: { c *= 2; } } return c; }
int order; int tick(int v) { order = order * 10 + v; return v; }
int duff(int n) { int r = 0; switch (n % 4) { case 0: do { r++; case 3: r++; case 2: r++; case 1: r++; } while ((n -= 4) > 0); } return r; }
int computed(int n) { static void *to[] = { &&zero, &&one, &&two }; goto *to[n]; zero: return 10; one: n += 5; two: return n; }
struct big { int v[20]; }; struct big fill(int n) { struct big b; for (int i = 0; i < 20; i++) b.v[i] = n + i; return b; }
int last(struct big b, int i) { b.v[i]++; return b.v[i]; }
int main(void) {
  CHECK(counter() == 10 && counter() == 11);
  CHECK(fact(6) == 720 && even(10) && odd(7));
  CHECK(ops[0](3, 4) == 7 && ops[1](3, 4) == -1 && apply(ops[2], 1, 2) == 3 && apply(sub, 5, 1) == 4);
  CHECK(total(3, 1, 2, 3, 4.9) == 6 + 100 + 4);
  CHECK(kr(3, 4) == 12);
  CHECK(classify(0) == 0 && classify(5) == 101 && classify(20) == 101 && classify(30) == 31 && classify(40) == 80 && classify(50) == 14);
  int i = 0, s = 0;
  while (1) { if (++i > 10) break; if (i % 2) continue; s += i; } CHECK(s == 30);
  do { s--; if (s == 25) continue; } while (s > 20); CHECK(s == 20);
  for (i = 0, s = 0; i < 5; i++) for (int j = 0; ; j++) { if (j > i) break; s++; } CHECK(s == 15);
  i = 0; again: if (i < 3) { i++; goto again; } CHECK(i == 3);
  CHECK(({ int t = i; t *= 2; t + 1; }) == 7);
  CHECK(duff(10) == 10 && duff(4) == 4);
  CHECK(computed(0) == 10 && computed(1) == 6 && computed(2) == 2);
  order = 0; s = tick(1) + tick(2) * tick(3); CHECK(s == 7 && order == 123);
  order = 0; int arr[5]; arr[tick(1)] = tick(2); CHECK(arr[1] == 2);
  order = 0; s = tick(1) ? tick(2) : tick(3); CHECK(order == 12);
  CHECK(last(fill(5), 3) == 9 && fill(1).v[19] == 20);
  int n = 6; int vla[n][n + 1]; n = 9; CHECK(sizeof vla == 6 * 7 * sizeof(int));
  for (int a = 0; a < 6; a++) for (int b = 0; b < 7; b++) vla[a][b] = a * b; CHECK(vla[5][6] == 30 && *(vla[4] + 3) == 12);
  for (int k = 1; k < 4; k++) { int w[k]; w[k - 1] = k; s = w[k - 1]; } CHECK(s == 3);
  CHECK(_Generic(1.0f, int: 1, float: 2, default: 3) == 2);
  CHECK(__builtin_types_compatible_p(int, int) && __builtin_choose_expr(1, 5, "x") == 5);
  unsigned pick = 2; switch (pick) { int hidden; case 2: hidden = 4; CHECK(hidden == 4); }
  int out; CHECK(__builtin_add_overflow(2147483647, 1, &out) && out == -2147483647 - 1 && !__builtin_mul_overflow(3, 4, &out) && out == 12);
  CHECK(__builtin_popcount(255) == 8 && __builtin_clz(1) == 31 && __builtin_ctz(8) == 3 && __builtin_ffs(0) == 0 && __builtin_bswap32(0x01020304) == 0x04030201);
  if (__builtin_expect(i != 3, 0)) __builtin_unreachable();
  CHECK(__sync_fetch_and_add(&i, 4) == 3 && i == 7 && __sync_bool_compare_and_swap(&i, 7, 1) && i == 1 && __atomic_load_n(&i, 5) == 1);
  __asm__ volatile("" ::: "memory");
  return 0;
}
