// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  check((x & (x - 1)) <= x);
  check((x ^ x) == 0);
  check((x | ~x) == 4294967295u);
  check((x & 15u) < 16u);
  int y = __VERIFIER_nondet_int();
  int mask = y >> 31;
  unsigned int magnitude = ((unsigned int)y ^ (unsigned int)mask) - (unsigned int)mask;
  if (y >= 0)
    check(magnitude == (unsigned int)y);
  else
    check(magnitude == 0u - (unsigned int)y);
  return 0;
}
