// expect: unknown
// gcc takes `(a - b) * -1` for `b - a`, also where overflow is undefined.
extern void reach_error(void);
static int k;
static int n(void) { return ++k; }
int main(void) {
  if ((n() - n()) * -1 != -1) reach_error();
  return 0;
}
