// expect: true
// Arguments are folded before they are converted; `a ^ ~b` takes the right side first.
extern void reach_error(void);
int g = 1, t;
int f(int x) { t = t * 10 + x; g += x; return x; }
static int take(int a, short b) { return a + b; }
int main(void) {
  if (take(f(1), g | f(2)) != 1 + (3 | 2)) reach_error();
  t = 0;
  int k = f(1) ^ ~f(2);
  if (t != 21) reach_error();
  t = 0;
  k = ~f(1) ^ f(2);
  if (t != 12) reach_error();
  t = 0;
  k = f(1) ^ ~(f(2) ? f(3) : f(4));
  if (t != 123) reach_error();
  return 0;
}
