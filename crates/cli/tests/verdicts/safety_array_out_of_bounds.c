// expect: false(valid-deref) property: valid-memsafety
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[3] = {0, 0, 0};
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i <= 3)
    a[i] = 1; // violation
  return 0;
}
