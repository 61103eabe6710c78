// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = -8;
  check(x >> 1 == -4);
  check(x >> 31 == -1);
  unsigned int u = 4294967288u;
  check(u >> 1 == 2147483644u);
  check((1u << 31) == 2147483648u);
  check((1ull << 40) >> 8 == 4294967296ull);
  unsigned char c = 128;
  check((c << 1) == 256);
  check((unsigned char)(c << 1) == 0);
  return 0;
}
