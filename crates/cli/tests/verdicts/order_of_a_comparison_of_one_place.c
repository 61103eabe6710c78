// expect: unknown
// gcc takes `*p > *p + 9` for 0 and the product for 0, so that the call on its left comes before the sum.
extern void reach_error(void);
static int trace, g = 3, *p = &g;
static int f(int x) {
  trace = trace * 10 + x;
  return x;
}
int main(void) {
  int sum = f(1) + f(2) % 97 * (*p > *p + 9);
  if (trace != 21 || sum != 1) reach_error();
  return 0;
}
