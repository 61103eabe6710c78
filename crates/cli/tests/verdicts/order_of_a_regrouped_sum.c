// expect: unknown
// Where overflow wraps, gcc takes `(u + 4) + f(3)` for `(u + f(3)) + 4`, and reads the variable after the call.
extern void reach_error(void);
static unsigned u = 5;
static unsigned f(unsigned x) {
  u += x;
  return x;
}
int main(void) {
  if ((u + 4) + f(3) != 15) reach_error();
  return 0;
}
