// expect: true config: recursion
// Two functions that call each other: the parity of the argument, from either.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  if (odd(n) != n % 2) reach_error();
  return 0;
}
