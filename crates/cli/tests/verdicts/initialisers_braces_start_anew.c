// expect: true
// A braced list starts its part of the object anew; what was there before counts no more, and is not even computed.
extern void reach_error(void);
static void check(int condition) {
  if (!condition) reach_error();
}
struct inner { int x, y; };
struct outer { struct inner in; int k[2]; };
static int a[2][2] = {[0] = {1, 2}, [0] = {[1] = 7}};
static struct outer o = {.in = {1, 2}, .k = {3, 4}, .in = {.y = 5}, .k = {}};
static struct outer p = {.in = {1, 2}, .in.y = 5, .k[1] = 6, .k[0] = 7};
static int calls;
static int f(int x) { calls = calls * 10 + x; return x; }
int main(void) {
  check(a[0][0] == 0 && a[0][1] == 7);
  check(o.in.x == 0 && o.in.y == 5 && o.k[0] == 0 && o.k[1] == 0);
  check(p.in.x == 1 && p.in.y == 5 && p.k[0] == 7 && p.k[1] == 6);
  int b[2][2] = {[0] = {f(1), f(2)}, [0] = {[1] = f(7)}};
  check(b[0][0] == 0 && b[0][1] == 7 && calls == 7);
  struct outer l = {.in = {1, 2}, .k = {3, 4}, .in = {.y = 5}, .k = {}};
  check(l.in.x == 0 && l.in.y == 5 && l.k[0] == 0 && l.k[1] == 0);
  struct { char s[6]; } t = {.s = "hello", .s[1] = 'X'}, u = {.s[4] = 'X', .s = "he"};
  check(t.s[0] == 'h' && t.s[1] == 'X' && t.s[4] == 'o' && u.s[1] == 'e' && u.s[4] == 0);
  return 0;
}
