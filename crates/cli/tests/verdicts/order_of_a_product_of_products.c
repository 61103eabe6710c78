// expect: unknown
// gcc takes `a * (b * 3)` for `(b * a) * 3`.
extern void reach_error(void);
static int trace;
static int f(int x) {
  trace = trace * 10 + x;
  return x;
}
int main(void) {
  int product = f(1) * (f(2) * 3);
  if (trace != 21 || product != 6) reach_error();
  return 0;
}
