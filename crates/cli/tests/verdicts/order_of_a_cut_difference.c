// expect: unknown
// The difference is computed in the few bits of the result, where overflow wraps: gcc takes it for `a + (b - f(2))`.
extern void reach_error(void);
static int g;
static int f(int x) {
  g += x;
  return x;
}
int main(void) {
  unsigned char difference = f(5) - (f(2) - g);
  if (difference != 8) reach_error();
  return 0;
}
