extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned d = __VERIFIER_nondet_uint();
  return 100 / d;
}
