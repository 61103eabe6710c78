// expect: true property: no-bit-count-of-zero
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (!x) return 32;
  return __builtin_ctz(x);
}
