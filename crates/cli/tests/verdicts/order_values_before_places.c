// expect: true
// gcc computes an assignment's value before its place; the last step of the value, a call or a load, comes after it.
extern void reach_error(void);
static void check(int condition) {
  if (!condition) reach_error();
}
static int order, g, a[4];
struct S { int b, c; } t[2];
static int f(int x) { order = order * 10 + x; g += x; return x; }
static int *pf(int x) { f(x); return &a[x]; }
static struct S *ps(int x) { f(x); return &t[x & 1]; }
static int id(int x) { return x; }
int main(void) {
  a[f(1)] = a[f(2)], check(order == 21), order = 0;
  a[f(1)] = f(2), check(order == 12), order = 0;
  a[f(1)] = f(2) + 1, check(order == 21), order = 0;
  a[f(1)] = f(f(2)), check(order == 212), order = 0;
  ps(1)->b = f(2), check(order == 12), order = 0;
  ps(1)->b = ps(2)->c, check(order == 21), order = 0;
  *pf(1) = *pf(2), check(order == 21), order = 0;
  t[f(1)] = t[f(2) & 1], check(order == 21), order = 0;
  *ps(1) = *ps(2), check(order == 21), order = 0;
  t[f(1)] = (struct S){f(2), f(3)}, check(order == 123), order = 0;
  a[f(1)] += f(2), check(order == 21), order = 0;
  g = 3, a[f(1)] = g, check(a[1] == 4);
  g = 3, a[f(1)] = -g, check(a[1] == -3);
  g = 3, a[f(1)] = id(g), check(a[1] == 3);
  return 0;
}
