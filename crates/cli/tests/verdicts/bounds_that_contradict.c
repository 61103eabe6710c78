// expect: true config: symbolic set: simplify-constraints=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned u = __VERIFIER_nondet_uint();
  if (x > 3) {
    if (x > 1) {
      if (x <= 3)
        reach_error();
    } else {
      reach_error();
    }
  }
  if (u < 4u) {
    if (u != 7u) {
      if (u == 4u)
        reach_error();
    } else {
      reach_error();
    }
  }
  return 0;
}
