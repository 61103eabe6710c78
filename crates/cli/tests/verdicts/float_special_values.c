// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  double zero = 0.0;
  double inf = 1.0 / zero;
  double nan = zero / zero;
  check(nan != nan);
  check(!(nan < 1.0) && !(nan >= 1.0));
  check(inf > 1e308);
  check(-zero == zero);
  check(1.0 / -zero == -inf);
  check(inf - inf != inf - inf);
  return 0;
}
