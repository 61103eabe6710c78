// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

struct inner { char c; short s; };
struct outer { int a; struct inner in[2]; double d; };
int main(void) {
  struct outer x = {1, {{'a', 2}, {'b', 3}}, 4.5};
  struct outer y = x;
  y.in[1].s = 9;
  check(x.in[1].s == 3 && y.in[1].s == 9 && y.d == 4.5);
  check(sizeof(struct inner) == 4);
  check(__builtin_offsetof(struct outer, in[1].s) == 10);
  struct outer *p = &x;
  p->in[0].c = 'z';
  check(x.in[0].c == 'z');
  return 0;
}
