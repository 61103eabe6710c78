// expect: unknown config: recursion
// A call writes through a pointer to a local variable of its caller.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void set(int n, int *p) {
  if (n == 0) *p = 7;
  else set(n - 1, p);
}
int main(void) {
  int x = 0;
  set(3, &x);
  if (x == 7) reach_error();
  return 0;
}
