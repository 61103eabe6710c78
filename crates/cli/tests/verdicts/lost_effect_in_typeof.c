// expect: unknown
extern void reach_error(void);
int n;
int f(void) { return n++; }
int main(void) {
  int m = 3;
  int y[m][m];
  __typeof__(y[f()]) z;
  if (n != 1) reach_error();
  return 0;
}
