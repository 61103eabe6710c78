// expect: unknown config: fuzz time: 1s

// However many runs there are, they prove nothing.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x % 2 == 1 && x % 4 == 0)
    reach_error();
  return 0;
}
