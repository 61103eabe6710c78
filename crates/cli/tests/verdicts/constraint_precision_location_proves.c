// expect: true config: symbolic-thesis set: constraint-precision=location
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = 0;
  if (x > 10 && y > x) {
    z = y;
    if (z < 5)
      reach_error();
  }
  if (x + y == 12 && x - y == 3)
    reach_error();
  return 0;
}
