// expect: false(no-overflow) property: no-overflow config: fuzz

// The sum overflows after some large inputs.
extern long __VERIFIER_nondet_long(void);
int main(void) {
  long sum = 0;
  for (int i = 0; i < 5; i++) {
    long x = __VERIFIER_nondet_long();
    if (x < 0 || x > 4000000000000000000)
      return 0;
    sum = sum + x; // violation
  }
  return sum > 0;
}
