// expect: unknown config: recursion
// What the first activations return does not hold of the deeper ones.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(int n) {
  if (n >= 3) return 9;
  int deeper = f(n + 1);
  if (deeper == 9 && n == 0) reach_error();
  return deeper;
}
int main(void) { return f(0); }
