// expect: unknown
// Where overflow wraps, gcc takes `~a + b` for `b - a - 1`.
extern void reach_error(void);
static unsigned k;
static unsigned n(void) { return ++k; }
int main(void) {
  if (~n() + (1 < ~n()) != 4294967294) reach_error();
  return 0;
}
