// expect: true
// What adds nothing to a variable leaves it a variable, which gcc reads after the call; `a + -b` is a difference, whose
// left side comes first, and `-a + -b` is `-a - b`.
extern void reach_error(void);
static int g, trace;
static unsigned u;
static int f(int x) {
  trace = trace * 10 + x;
  g += x;
  u += x;
  return x;
}
static void start(void) {
  g = 3;
  u = 5;
  trace = 0;
}
#define WANT(expression, value, order) \
  start(); \
  if ((expression) != (value) || trace != (order)) reach_error();
int main(void) {
  WANT((0 + g) + f(1), 5, 1)
  WANT((g & -1) + f(1), 5, 1)
  WANT((-1 & g) + f(1), 5, 1)
  WANT((u & 0xffffffffu) + f(1), 7, 1)
  WANT((1 * g) + f(1), 5, 1)
  WANT((g + (2 - 2)) + f(1), 5, 1)
  WANT((!0 ? g : 0) + f(1), 5, 1)
  WANT(- -g + f(1), 5, 1)
  WANT(~~g + f(1), 5, 1)
  WANT(g + -f(1), 2, 1)
  WANT(g - -f(1), 5, 1)
  WANT(-g - -f(1), -3, 1)
  WANT(-f(1) + -f(2), -3, 12)
  WANT(-f(1) - -f(2), 1, 21)
  WANT(-f(1) - -g, 2, 1)
  WANT(-f(1) + -(f(2) * 3), -7, 21)
  WANT(f(1) > f(2) + -4, 1, 21)
  WANT(f(1) < f(2) + (1 + 3), 1, 21)
  return 0;
}
