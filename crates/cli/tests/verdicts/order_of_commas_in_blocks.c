// expect: true
extern void reach_error(void);
int t, a[4], b[4];
int f(int x) { t = t * 10 + x; b[1] = 9; return x; }
int main(void) {
  a[f(2)] = ({ (f(9), f(1)); }); if (t != 921) reach_error();
  t = 0; a[f(2)] = ({ f(9); f(1); }); if (t != 912) reach_error();
  t = 0; a[({ int j = f(2); j & 3; })] = ({ f(9), f(1); }); if (t != 921) reach_error();
  t = 0; a[f(2)] = ({ (f(9), f(1)) + 1; }); if (t != 912 || a[2] != 2) reach_error();
  // The value that `?:` keeps counts as an effect: it is taken before the place.
  a[1] = 4, b[1] = 3; a[f(1)] *= (b[1] ?: 5) + 1; if (a[1] != 16) reach_error();
  a[1] = 4, b[1] = 3; a[f(1)] *= b[1] + 1; if (a[1] != 40) reach_error();
  return 0;
}
