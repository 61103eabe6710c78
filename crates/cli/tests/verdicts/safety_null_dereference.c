// expect: false(valid-deref) property: valid-memsafety
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 1;
  int *p = __VERIFIER_nondet_int() ? &x : 0;
  return *p; // violation
}
