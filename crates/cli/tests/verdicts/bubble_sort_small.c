// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j + 1 < 3; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  check(a[0] <= a[1] && a[1] <= a[2]);
  return 0;
}
