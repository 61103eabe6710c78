// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = 5;
  int a = x++;
  int b = ++x;
  int c = x--;
  int d = --x;
  check(a == 5 && b == 7 && c == 7 && d == 5 && x == 5);
  int values[3] = {1, 2, 3};
  int *p = values;
  check(*p++ == 1);
  check(*p == 2);
  check((*p)++ == 2);
  check(values[1] == 3);
  check(*++p == 3);
  return 0;
}
