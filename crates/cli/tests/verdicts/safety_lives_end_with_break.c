// expect: false(valid-deref) property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = 0;
  switch (__VERIFIER_nondet_int()) {
    int x;
  case 1:
    x = 2;
    p = &x;
    break;
  default:
    x = 4;
    p = &x;
  }
  return *p; // violation
}
