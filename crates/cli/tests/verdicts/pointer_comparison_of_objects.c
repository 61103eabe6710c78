// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int a, b;
int main(void) {
  check(&a != &b);
  check(&a == &a);
  int x;
  int *p = &x;
  check(p != &a && p != 0);
  return 0;
}
