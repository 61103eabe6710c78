// expect: true config: k-induction-paths
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0, twice = 5;
  while (i < n) {
    i++;
    twice += 2;
  }
  if (twice != 2 * i + 5)
    reach_error();
  if (i > n)
    reach_error();
  return 0;
}
