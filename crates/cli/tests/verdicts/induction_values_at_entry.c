// expect: true config: k-induction-paths
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  int x = a, y = b;
  while (x != 0) {
    x--;
    y--;
  }
  if (a == b && y != 0)
    reach_error();
  return 0;
}
