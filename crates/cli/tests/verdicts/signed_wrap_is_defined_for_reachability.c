// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

// For reachability signed arithmetic wraps in two's complement.
int main(void) {
  int x = 2147483647;
  x = x + 1;
  check(x == -2147483647 - 1);
  int y = -2147483647 - 1;
  check(-y == y);
  check(65536 * 65536 == 0);
  return 0;
}
