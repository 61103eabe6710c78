// expect: false(no-uninitialised-read) property: no-uninitialised-read
extern int __VERIFIER_nondet_int(void);
int main(void) {
  switch (__VERIFIER_nondet_int()) {
    int x = 3;
  case 1:
    if (x > 2) // violation
      return 1;
  }
  return 0;
}
