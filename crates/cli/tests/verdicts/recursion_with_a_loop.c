// expect: true config: recursion
// A loop in each activation, and one around the first call.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int sum(int n) {
  if (n <= 0) return 0;
  int rest = sum(n - 1);
  for (int i = 0; i < n; i++)
    if (rest < 0) reach_error();
  return rest < 1000 ? rest + 1 : rest;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    if (sum(i) < 0) reach_error();
  return 0;
}
