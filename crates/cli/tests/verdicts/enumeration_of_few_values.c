// expect: true config: value-cegar set: max-enum=4
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x == 3 || x == 5 || x == 9) {
    int low = y & 1; // Two values: 0 and 1.
    if ((x + low) * (x - low) > 81)
      reach_error();
    if (x % 2 == 0)
      reach_error();
  }
  return 0;
}
