// expect: false(valid-array-size) property: valid-array-size
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 8) return 0;
  int a[n]; // violation
  a[0] = n;
  return a[0];
}
