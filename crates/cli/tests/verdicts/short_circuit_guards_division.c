// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x != 0 && 100 / x > 50)
    check(x == 1);
  return 0;
}
