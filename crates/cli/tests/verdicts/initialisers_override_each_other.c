// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

struct point {
  int x, y[3];
};
int main(void) {
  // What several entries name is counted once: the rest is zero.
  int a[3] = {[0] = 1, [0] = 2, [1] = 3};
  check(a[0] == 2 && a[1] == 3 && a[2] == 0);
  struct point p = {.x = 1, .x = 2, .x = 3, .x = 4};
  check(p.x == 4 && p.y[0] == 0 && p.y[1] == 0 && p.y[2] == 0);
  // A zero overrides, too.
  int b[4] = {[1] = 7, [1] = 0};
  check(b[1] == 0);
  char s[8] = {[0] = 'x', [1] = 'y', [1] = 0};
  check(s[0] == 'x' && s[1] == 0);
  return 0;
}
