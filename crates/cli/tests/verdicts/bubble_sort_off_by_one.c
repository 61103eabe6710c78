// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int j = 0; j + 1 < 3; j++)
    if (a[j] > a[j + 1]) {
      int t = a[j];
      a[j] = a[j + 1];
      a[j + 1] = t;
    }
  if (a[0] > a[1])
    reach_error(); // violation
  return 0;
}
