// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

// Operands narrower than int are computed in int: no wrap at 8 bits before the conversion back.
int main(void) {
  unsigned char a = 200, b = 100;
  check(a + b == 300);
  unsigned char c = a + b;
  check(c == 44);
  signed char d = (signed char)200;
  check(d == -56);
  check(~a == -201);
  check((unsigned char)~a == 55);
  check(-a == -200);
  check((a << 4) == 3200);
  return 0;
}
