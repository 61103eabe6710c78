// expect: unknown
// Where overflow wraps, gcc takes `(1 - a) + b` for `(b - a) + 1`.
extern void reach_error(void);
static unsigned k;
static unsigned n(void) { return ++k; }
int main(void) {
  if ((1 - n()) + n() * 10 != 9) reach_error();
  return 0;
}
