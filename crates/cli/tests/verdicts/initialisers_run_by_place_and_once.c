// expect: true
// Designated values are computed in the order of their places, as gcc does it; the value of a range once.
extern void reach_error(void);
static void check(int condition) {
  if (!condition) reach_error();
}
static int calls;
static int f(int x) { calls = calls * 10 + x; return x; }
struct three { int a, b, c; };
int main(void) {
  struct three s = {.b = f(1), .a = f(2)};
  check(calls == 21 && s.b == 1 && s.a == 2 && s.c == 0);
  calls = 0;
  int a[3] = {[2] = f(1), [0] = f(2), [1] = f(3)};
  check(calls == 231 && a[2] == 1);
  calls = 0;
  int r[4] = {[0 ... 3] = f(1), [1] = f(2)};
  check(calls == 12 && r[0] == 1 && r[1] == 2 && r[3] == 1);
  calls = 0;
  struct three t[2] = {[0 ... 1] = {f(1), .c = f(2)}};
  check(calls == 12 && t[0].c == 2 && t[1].a == 1 && t[1].b == 0);
  calls = 0;
  struct { unsigned a : 4, b : 4; } x = {.b = f(1), .a = f(2), .b = f(3)};
  check(calls == 23 && x.a == 2 && x.b == 3);
  return 0;
}
