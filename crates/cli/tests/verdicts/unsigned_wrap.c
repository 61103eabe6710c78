// expect: true
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  unsigned int y = x + 1u;
  check(y != x);
  check(y - 1u == x);
  if (x == 4294967295u)
    check(y == 0);
  unsigned short s = 65535;
  s++;
  check(s == 0);
  check(0u - 1u == 4294967295u);
  return 0;
}
