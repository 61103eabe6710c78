// expect: true
// gcc computes the negation of a difference, a sum or a product without one, which changes the order of the operands.
extern void reach_error(void);
static unsigned long trace;
static int f(int x) { trace = trace * 10 + x; return x; }
static unsigned u(unsigned x) { return f(x); }
static long l(int x) { return f(x); }
static long sink;
static void want(unsigned long order) {
  if (trace != order) reach_error();
  trace = 0;
}
int main(void) {
  sink = -(f(3) - f(5));
  want(53);
  sink = -(u(3) - u(5));
  want(53);
  sink = u(1) - (u(2) - u(3));
  want(132);
  sink = -(u(1) + (u(2) - u(3)));
  want(321);
  sink = -(f(1), f(2) - f(3));
  want(132);
  sink = -(f(1) - (f(2) - f(3)));
  want(231);
  sink = f(1) * -(f(2) - f(3));
  want(132);
  sink = - -(f(1) - f(2));
  want(12);
  sink = -(f(4) + 9) + f(2);
  want(42);
  sink = -(f(4) * 3) + f(2);
  want(42);
  sink = -~f(4) + f(2);
  want(42);
  sink = - -f(4) + f(2);
  want(42);
  sink = -(f(4) ? 1 : f(1)) + f(2);
  want(42);
  sink = -(f(4) + -f(1)) + f(2);
  want(142);
  sink = -(-f(4) + f(1)) + f(2);
  want(412);
  sink = f(2) - -(u(4) - u(1));
  want(241);
  sink = -(l(4) + 9) + f(2);
  want(42);
  sink = -f(4) + f(2);
  want(24);
  return 0;
}
