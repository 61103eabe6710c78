// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  double a = 0.1, b = 0.2;
  check(a + b != 0.3);
  float f = 16777216.0f;
  check(f + 1.0f == f);
  check(1.0 / 3.0 * 3.0 == 1.0);
  check((float)0.1 != 0.1);
  check(5 / 2 == 2 && 5 / 2.0 == 2.5);
  return 0;
}
