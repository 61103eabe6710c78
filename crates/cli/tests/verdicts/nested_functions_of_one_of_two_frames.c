// expect: unknown
extern void reach_error(void);
static int f(int n, int (*up)(void)) {
  int get(void) { return n; }
  if (n == 0) return up();
  return f(n - 1, n == 2 ? get : up);
}
int main(void) {
  if (f(3, 0) != 2) reach_error();
  return 0;
}
