// expect: unknown
// The operand of sizeof is evaluated where its type is an array of variable length.
extern void reach_error(void);
int n;
int f(void) { return ++n; }
int main(void) {
  int m = 3;
  int y[m][m];
  (void)sizeof y[f()];
  if (n != 1) reach_error();
  return 0;
}
