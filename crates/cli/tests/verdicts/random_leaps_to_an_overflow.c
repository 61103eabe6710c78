// expect: false(no-overflow) property: no-overflow
// It takes 2,147,483,635 rounds, with an input in each, until the sum overflows.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int sum = 12, left = __VERIFIER_nondet_int(), other = 0;
  while (left > 0) {
    if (__VERIFIER_nondet_int() != 0)
      other = other + 1;
    else
      other = 0;
    sum = sum + 1;
    left = left - 1;
  }
  return 0;
}
