// expect: true
// Floats become integers of 128 bits where they fit.
extern void reach_error(void);
static void check(int condition) {
  if (!condition) reach_error();
}
int main(void) {
  double d = 1e25, small = -3.75;
  __int128 s = (__int128)d, t = (__int128)small;
  unsigned __int128 u = (unsigned __int128)d, v = (unsigned __int128)3.4e38;
  check((unsigned long long)(s >> 64) == 542101 && s == (__int128)u && t == -3);
  check(v >> 127 == 1 && (double)s == d);
  return 0;
}
