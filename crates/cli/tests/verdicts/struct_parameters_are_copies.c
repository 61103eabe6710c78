// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

struct pair { int a, b; };
struct pair swap(struct pair p) {
  int t = p.a;
  p.a = p.b;
  p.b = t;
  return p;
}
int main(void) {
  struct pair p = {1, 2};
  struct pair q = swap(p);
  check(p.a == 1 && p.b == 2);
  check(q.a == 2 && q.b == 1);
  check(swap(q).a == 1);
  q = p;
  q.a = 50;
  check(p.a == 1);
  return 0;
}
