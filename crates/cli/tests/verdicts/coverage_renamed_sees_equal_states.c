// expect: true config: symbolic set: coverage=renamed time: 20s
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

// Each round leaves other inputs in the variables, under the same conditions.
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x < 1 || x > 9)
    return 0;
  while (__VERIFIER_nondet_int()) {
    y = x;
    x = __VERIFIER_nondet_int();
    if (x < 1 || x > 9)
      return 0;
    if (y > 9)
      reach_error();
  }
  return 0;
}
