// expect: unknown
// gcc takes `p[0]` and `*p` for the same value: the condition is then worth nothing but its effect, and the order changes.
extern void reach_error(void);
static int trace, cell[2];
static int f(int x) {
  trace = trace * 10 + x;
  return x;
}
static int *q(int x) {
  f(x);
  return &cell[1];
}
int main(void) {
  int *p = cell;
  *q(3) |= (f(1) & 1023) ^ (f(4) ? p[0] : *p);
  if (trace != 413) reach_error();
  return 0;
}
