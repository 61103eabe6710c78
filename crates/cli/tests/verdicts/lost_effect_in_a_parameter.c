// expect: unknown
// The length of an array parameter is computed, though nobody uses it.
extern void reach_error(void);
int n;
int f(void) { return ++n; }
int g(int x[static f()]) { return n; }
int main(void) {
  int a[1];
  if (g(a) != 1) reach_error();
  return 0;
}
