// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 6)
    return 0;
  int i = 0, sum = 0;
  while (i < n) {
    i++;
    sum += 2;
  }
  check(sum == 2 * n);
  return 0;
}
