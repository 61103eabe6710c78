// expect: true unknown-ok
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = 42;
  void *v = &x;
  int *p = v;
  check(*p == 42);
  unsigned long address = (unsigned long)p;
  int *q = (int *)address;
  *q = 7;
  check(x == 7);
  check(address % 4 == 0);
  check(p != 0);
  return 0;
}
