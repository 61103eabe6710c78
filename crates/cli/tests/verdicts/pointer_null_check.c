// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int *choose(int *candidate) {
  return __VERIFIER_nondet_int() ? candidate : 0;
}
int main(void) {
  int x = 3;
  int *p = choose(&x);
  if (p)
    check(*p == 3);
  else
    check(p == (void *)0);
  return 0;
}
