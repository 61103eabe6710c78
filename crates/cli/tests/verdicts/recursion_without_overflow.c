// expect: true property: no-overflow config: recursion
// A difference of positive numbers does not overflow, at any depth.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int gcd(int a, int b) {
  if (a <= 0 || b <= 0) return 0;
  if (a == b) return a;
  return a > b ? gcd(a - b, b) : gcd(a, b - a);
}
int main(void) { return gcd(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()) > 0; }
