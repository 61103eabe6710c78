// expect: true
// gcc turns comparisons around where a constant gets smaller by it, and takes a difference for a comparison where its truth is asked.
extern void reach_error(void);
int t, k;
int f(int x) { t = t * 10 + x; return x; }
int main(void) {
  k = f(1) < f(2) + 4; if (t != 21) reach_error();
  t = 0; k = f(1) <= f(2) + 4; if (t != 12) reach_error();
  t = 0; k = f(1) + 2 < f(2) + 4; if (t != 21) reach_error();
  t = 0; k = f(1) + 4 < f(2) + 2; if (t != 12) reach_error();
  t = 0; k = f(1) >= f(2) + 4; if (t != 21) reach_error();
  t = 0; k = f(1) > f(2) - 4; if (t != 21) reach_error();
  t = 0; k = f(1) - 2 < f(2) + 4; if (t != 12) reach_error();
  t = 0; k = ~f(1) == ~f(2); if (t != 21) reach_error();
  t = 0; k = (unsigned)f(1) < (unsigned)f(2) + 4; if (t != 12) reach_error();
  t = 0; if (t - f(1)) reach_error();
  t = 0; if (!(t ^ f(1))) { } else reach_error();
  return 0;
}
