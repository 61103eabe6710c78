// expect: true property: no-unsigned-wrap
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x == 0) return 0;
  return x - 1 > 7;
}
