// expect: true
extern void reach_error(void);
int f(int x) { return x + 1; }
int main(void) {
  struct { signed char a; short b; } t[4] = {[0 ... 3] = {.a = 5}, [1].b = 2}, u[4] = {[0 ... 3].a = f(4), [1].b = 2};
  if (t[1].a != 5 || t[1].b != 2 || t[2].a != 5 || u[1].a != 5 || u[1].b != 2 || u[3].a != 5) reach_error();
  return 0;
}
