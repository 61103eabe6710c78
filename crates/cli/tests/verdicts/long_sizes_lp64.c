// expect: true model: LP64
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  check(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(int) == 4 && sizeof(long long) == 8);
  long x = 2147483647L + 1L;
  check(x == 2147483648L);
  check(sizeof(struct { char c; long l; }) == 16);
  return 0;
}
