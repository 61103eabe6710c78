// expect: true
// A cast cuts the operands of operators before gcc chooses their order: then a variable is none, and is read where it
// stands. An assignment cuts what has been folded, with the variable last. Operators on bits and comparisons are computed
// in the bits that both operands have.
extern void reach_error(void);
static int g;
static long l;
static unsigned char c;
static int f(int x) {
  g += x;
  l += x;
  c += x;
  return x;
}
static unsigned char b(int x) { return f(x); }
static unsigned char returned(void) { return g + f(1); }
static void start(void) { g = 3, l = 3, c = 3; }
#define WANT(expression, value) \
  start(); \
  if ((expression) != (value)) reach_error();
int main(void) {
  int i;
  unsigned char u;
  WANT((unsigned char)(g + f(1)), 4)
  WANT((unsigned char)(c ? g + f(1) : 3), 4)
  WANT((unsigned char)(f(1), g + f(1)), 5)
  WANT((unsigned char)-(g + f(1)), 252)
  WANT((unsigned char)+(g + f(1)), 4)
  WANT((int)(l + f(1)), 4)
  WANT(u = g + f(1), 5)
  WANT(u = f(2) + (g + f(1)), 9)
  WANT(i = l + (long)f(1), 5)
  WANT(u = (unsigned char)(g + f(1)), 4)
  WANT(returned(), 5)
  WANT(c + b(1), 4)
  WANT(c ^ b(1), 5)
  WANT(c & b(2), 0)
  WANT(c < b(4), 0)
  WANT((long)g ^ f(1), 5)
  WANT(f(4) - (1 ? (f(1), g) : 2), -4)
  return 0;
}
