// expect: true unknown-ok
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = 0, y = 0;
  int *p = __VERIFIER_nondet_int() ? &x : &y;
  *p = 1;
  check(x + y == 1);
  check((p == &x) == (x == 1));
  return 0;
}
