// expect: true model: ILP32
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  long long x = 3000000000LL;
  check(x + x == 6000000000LL);
  check((long)x < 0);
  check((x >> 31) == 1);
  unsigned long long y = 1ULL << 63;
  check(y / 2 == 4611686018427387904ULL);
  return 0;
}
