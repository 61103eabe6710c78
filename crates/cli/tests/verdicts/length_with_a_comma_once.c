// expect: true
// A length whose expression has a comma is computed once, however often the size is asked.
extern void reach_error(void);
int n;
static int a[4] = {1, 2, 3, 4}, *p = &a[1];
static int f(int x) { return n += x; }
static unsigned long sum(unsigned long x, unsigned long y) { return x + y; }
int main(void) {
  int z[(f(1), *p) & 3 | 4];
  unsigned long k = sizeof z | sizeof n;
  if (n != 1 || k != 28) reach_error();
  if (sum(sizeof z, sizeof z[0]) != 28 || n != 1) reach_error();
  char c[(f(1), 3)];
  k = sizeof c;
  (void)sizeof c;
  if (sizeof c + n != 5 || k != 3 || n != 2) reach_error();
  z[sizeof c - 1] = 5;
  if (n != 2 || z[2] != 5) reach_error();
  return 0;
}
