// expect: true
// Operators with a known value, where no operand changes what another one reads or changes: their order is no matter.
extern void reach_error(void);
static int a, b, c = 3;
static int f(int x) {
  a += x;
  return x;
}
static int h(int x) {
  b += x;
  return x;
}
int main(void) {
  if (f(1) + h(2) * 0 != 1) reach_error();
  if (f(1) + (c - c) != 1) reach_error();
  if (f(1) + ((unsigned char)h(2) > 255) != 1) reach_error();
  if (f(1) + (h(2) | -1) != 0) reach_error();
  if (f(1) + (h(2) && 0) != 1) reach_error();
  if (c - (f(1) + c) != -1) reach_error();
  if (a != 6 || b != 8) reach_error();
  return 0;
}
