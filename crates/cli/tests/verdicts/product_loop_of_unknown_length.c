// expect: true config: value-interval
// States of the same values are merged and their bounds widened, so that the loop ends; values know what the pointer points to.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
  unsigned limit = 7, *p = &limit, i = __VERIFIER_nondet_uint();
  while (i > *p)
    i--;
  if (i > 7)
    reach_error();
  return 0;
}
