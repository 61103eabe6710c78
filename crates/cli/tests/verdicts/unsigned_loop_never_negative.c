// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned int n = 5, steps = 0;
  while (n-- > 0)
    steps++;
  check(steps == 5);
  check(n == 4294967295u);
  return 0;
}
