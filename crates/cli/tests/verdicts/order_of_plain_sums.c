// expect: true
// Sums, products and shifts that gcc leaves as they are, with and without overflow that wraps.
extern void reach_error(void);
static unsigned k;
static int i(void) { return ++k; }
static unsigned u(void) { return ++k; }
static unsigned char b(void) { return ++k; }
#define WANT(expression, value) \
  k = 0; \
  if ((expression) != (value)) reach_error();
int main(void) {
  unsigned char cut;
  WANT(u() + u(), 3)
  WANT(u() - u(), -1u)
  WANT(u() * u(), 2)
  WANT(u() + 3 - u(), 2)
  WANT(u() - u() + u() + 1, 3)
  WANT(u() + u() * 10, 21)
  WANT(u() * 2 + u() * 4, 10)
  WANT(i() + i() * 10 + i() * 100, 321)
  WANT(i() - 2 * i() - 3, -6)
  WANT(u() | u() << 8 | u() << 16, 0x30201)
  WANT((b() << 8) + b(), 0x102)
  WANT((i() & 3) | (i() & 4), 1)
  WANT(cut = i() + i() + i(), 6)
  WANT(cut = b() - b() - 1, 254)
  WANT(i() == 1 && i() < i(), 1)
  return 0;
}
