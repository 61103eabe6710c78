// expect: true
// Operands go from left to right, but gcc swaps the sides of a commutative operator whose left side is a variable, and `-a + b` is `b - a`.
extern void reach_error(void);
static void check(int condition) {
  if (!condition) reach_error();
}
static int g, arr[2];
static int f(void) { g += 1; arr[0] += 1; return 1; }
#define GIVES(expression, value) g = 3, arr[0] = 1, check((expression) == (value))
int main(void) {
  GIVES(-g + f(), -3);
  GIVES(+g + f(), 5);
  GIVES(~arr[0] + f(), -1);
  GIVES((1 ? g : 0) + f(), 5);
  GIVES(({ g; }) + f(), 5);
  GIVES((f(), g) + f(), 6);
  GIVES(g << f(), 6);
  GIVES(g - f(), 2);
  GIVES(g / f() + f(), 4);
  GIVES(g * f(), 4);
  GIVES(g == f(), 0);
  GIVES((long)g + f(), 4);
  GIVES((unsigned)g + f(), 5);
  GIVES(arr[0] + f(), 2);
  GIVES(g - (f(), 3), 1);
  GIVES((unsigned char)(g + f()), 4);
  return 0;
}
