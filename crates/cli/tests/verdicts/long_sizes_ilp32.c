// expect: true model: ILP32
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  check(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(int) == 4 && sizeof(long long) == 8);
  unsigned long x = 4294967295UL;
  x = x + 1;
  check(x == 0);
  check(sizeof(struct { char c; long long l; }) == 12);
  return 0;
}
