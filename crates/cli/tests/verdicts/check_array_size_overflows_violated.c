// expect: false(valid-array-size) property: valid-array-size
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong(), m = 1UL << 20;
  if (n == 0 || n > 1UL << 40) return 0;
  long (*p)[m][n] = 0; // violation
  return p != 0;
}
