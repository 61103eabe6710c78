// expect: false(no-uninitialised-read) property: no-uninitialised-read
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x;
  switch (__VERIFIER_nondet_int()) {
  case 1:
    x = 10;
    break;
  case 2:
    x = 20;
    break;
  }
  return x > 10 ? 1 : 0; // violation
}
