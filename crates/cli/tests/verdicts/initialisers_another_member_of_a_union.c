// expect: true
// Another member of a union replaces the one before, bits and bytes.
extern void reach_error(void);
static void check(int condition) {
  if (!condition) reach_error();
}
union bits { unsigned a : 4; int i; };
union parts { int i; char c; struct { short x, y; } p; };
struct holder { int before; union parts u; };
static union bits g = {.a = 5, .i = 0};
static struct holder h = {.u.i = 0x01020304, .u.c = 1, .before = 2};
static struct holder s = {.u.p.x = 7, .u.p.y = 1};
static struct { int x; union { struct { int p, q; }; int r[2]; }; } n = {.q = 2, .r[0] = 5};
int main(void) {
  union bits l = {.a = 5, .i = 0}, m = {.i = -1, .a = 5};
  check(g.i == 0 && l.i == 0 && m.i == 5);
  struct holder k = {.u.i = 0x01020304, .u.c = 1}, j = {.u = {.i = 0x01020304}, .u.p.x = 1};
  check(h.u.i == 1 && h.before == 2 && k.u.i == 1 && j.u.i == 1);
  check(s.u.p.x == 7 && s.u.p.y == 1);
  check(n.p == 5 && n.q == 0);
  return 0;
}
