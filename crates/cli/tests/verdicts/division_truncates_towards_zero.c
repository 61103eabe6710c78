// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  check(-7 / 2 == -3);
  check(-7 % 2 == -1);
  check(7 / -2 == -3);
  check(7 % -2 == 1);
  check(-7 / -2 == 3);
  unsigned int u = 4294967289u;
  check(u / 2 == 2147483644u);
  check((-7) % 2u == 1u);
  int a = __VERIFIER_nondet_int();
  if (a > -1000 && a < 1000)
    check((a / 7) * 7 + a % 7 == a);
  return 0;
}
