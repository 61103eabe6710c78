// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = 1;
  int y = (x++, x + 10);
  check(x == 2 && y == 12);
  int i, j;
  for (i = 0, j = 10; i < j; i++, j--)
    ;
  check(i == 5 && j == 5);
  return 0;
}
