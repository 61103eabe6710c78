// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  signed char c = (signed char)x;
  check(c >= -128 && c <= 127);
  unsigned char u = (unsigned char)x;
  check(u == (x & 255));
  short s = (short)0x12345678;
  check(s == 0x5678);
  _Bool b = x;
  check(b == (x != 0));
  _Bool half = 0.5;
  check(half == 1);
  return 0;
}
