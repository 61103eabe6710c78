// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int factorial(int n) {
  return n <= 1 ? 1 : n * factorial(n - 1);
}
int main(void) {
  check(factorial(5) == 120);
  check(factorial(0) == 1);
  return 0;
}
