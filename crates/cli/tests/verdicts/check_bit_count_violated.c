// expect: false(no-bit-count-of-zero) property: no-bit-count-of-zero
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  return __builtin_ctz(x); // violation
}
