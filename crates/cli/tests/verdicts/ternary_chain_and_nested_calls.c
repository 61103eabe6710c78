// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int clamp(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = clamp(clamp(x, -5, 5), 0, 3);
  check(y >= 0 && y <= 3);
  return 0;
}
