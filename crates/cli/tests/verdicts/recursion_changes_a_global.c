// expect: unknown config: recursion
// What the activations in between do to a global variable is not forgotten.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int depth;
void down(int n) {
  if (n == 0) return;
  depth++;
  if (depth == 4) reach_error();
  down(n - 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 5) return 0;
  down(n);
  return 0;
}
