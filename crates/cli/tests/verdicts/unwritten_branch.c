// expect: false(no-uninitialised-read) property: no-uninitialised-read also: symbolic,bmc
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x, c = __VERIFIER_nondet_int();
  if (c > 3)
    x = 1;
  if (x == 1) // violation
    return 1;
  return 0;
}
