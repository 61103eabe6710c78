// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int gcd(int a, int b) {
  while (a != b) {
    if (a > b)
      a -= b;
    else
      b -= a;
  }
  return a;
}
int main(void) {
  check(gcd(12, 18) == 6);
  check(gcd(17, 5) == 1);
  return 0;
}
