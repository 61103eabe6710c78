// expect: true also: symbolic,bam-symbolic,bam-symbolic-cegar
// What a function learns about its argument, and what it returns, concerns variables of the caller that it never sees.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int clamp(int a, int low) {
  int i = 0;
  while (i < 3) i++;
  if (a < low) return low;
  return a;
}
int is_seven(int a) {
  int i = 0;
  while (i < 2) i++;
  if (a == 7) return 1;
  return 0;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  int copy = y;
  int r = clamp(y, 5);
  if (r != copy && r != 5) reach_error();
  if (r == copy && copy < 5) reach_error();
  int s = clamp(x, y);
  if (s < copy) reach_error();
  if (s != x && s != copy) reach_error();
  if (is_seven(x) && x + 1 != 8) reach_error();
  if (!is_seven(copy) && y == 7) reach_error();
  return 0;
}
