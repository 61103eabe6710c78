// expect: true config: recursion
// The result of every activation is between zero and the argument.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int count(int n) {
  if (n <= 0) return 0;
  int rest = count(n - 1);
  return rest + 1;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  if (count(n) != n) reach_error();
  return 0;
}
