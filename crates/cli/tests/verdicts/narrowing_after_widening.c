// expect: true config: interval
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 100;
  unsigned i = 0;
  while (i < n + 38)
    i++;
  if (2 * i > 300)
    reach_error();
  return 0;
}
