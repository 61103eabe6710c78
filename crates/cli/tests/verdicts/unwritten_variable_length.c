// expect: false(no-uninitialised-read) property: no-uninitialised-read
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3)
    return 0;
  int a[n];
  a[0] = 1;
  return a[n - 1] == 1; // violation
}
