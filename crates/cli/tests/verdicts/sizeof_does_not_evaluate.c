// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = 1;
  check(sizeof(x++) == sizeof(int));
  check(x == 1);
  int a[7];
  check(sizeof(a) / sizeof(a[0]) == 7);
  check(sizeof("hello") == 6);
  return a[0] * 0;
}
