// expect: unknown
// gcc takes `f(2) * 0` for `f(2), 0`, and what is left of a comma comes before the whole sum. Other operators with a
// known value are as many as a compiler can think of: where the order matters, none of them is followed.
extern void reach_error(void);
static int trace;
static int f(int x) {
  trace = trace * 10 + x;
  return x;
}
int main(void) {
  int sum = f(1) + f(2) * 0;
  if (trace != 21 || sum != 1) reach_error();
  return 0;
}
