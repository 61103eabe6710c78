// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int a[4] = {0, 1, 2, 3};
  int x = __VERIFIER_nondet_int();
  int i = x % 4;
  if (i < 0)
    i += 4;
  check(i >= 0 && i < 4);
  check(a[i] == i);
  return 0;
}
