// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = 1;
  goto inside;
  {
    x = 100;
  inside:
    x = x + 1;
  }
  check(x == 2);
  return 0;
}
