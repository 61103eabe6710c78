// expect: true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int twice(int (*f)(int), int x) { return f(f(x)); }
static int factorial(int n) {
  int times(int k) { return n * k; }
  if (n <= 1) return 1;
  int rest = factorial(n - 1);
  return times(rest);
}
int main(void) {
  int total = 0, x = __VERIFIER_nondet_int();
  if (x < 0 || x > 100) return 0;
  int add(int y) {
    int inner(void) { total += y; return total; }
    return inner();
  }
  add(x);
  if (twice(add, 1) != 2 * (x + 1)) reach_error();
  if (factorial(4) != 24) reach_error();
  return 0;
}
