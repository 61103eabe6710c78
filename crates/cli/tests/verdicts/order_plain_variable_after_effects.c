// expect: true
// The order that gcc uses where C leaves it open.
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}
int g, array[2], *q = &g;
struct S {
  int a;
} s;
static int f(void) {
  g = 5;
  array[1] = 5;
  s.a = 5;
  return 3;
}
static void reset(void) {
  g = 1;
  array[1] = 1;
  s.a = 1;
}
int main(void) {
  reset();
  check(g + f() == 8);
  reset();
  check(*q + f() == 4);
  reset();
  check(array[1] + f() == 4);
  reset();
  check(s.a + f() == 4);
  reset();
  check((g + 1) + f() == 5);
  reset();
  check((char)g + f() == 4);
  reset();
  check(f() + g == 8);
  reset();
  check((g == f() - 2) == 0);
  return 0;
}
