// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int r;
  check(__builtin_add_overflow(2147483647, 1, &r));
  check(r == -2147483647 - 1);
  check(!__builtin_mul_overflow(1000, 1000, &r) && r == 1000000);
  unsigned int u;
  check(__builtin_sub_overflow(1u, 2u, &u) && u == 4294967295u);
  check(__builtin_popcount(0xffu) == 8);
  if (__builtin_expect(r == 5, 0))
    reach_error();
  return 0;
}
