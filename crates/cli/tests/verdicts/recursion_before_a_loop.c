// expect: unknown config: recursion
// Bounds of a register at a loop come from the result of a recursion too.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }
int main(void) {
  int x = 0, i = 0;
  x = f(3);
  while (i < 2) {
    if (x == 3) reach_error();
    i++;
  }
  return 0;
}
