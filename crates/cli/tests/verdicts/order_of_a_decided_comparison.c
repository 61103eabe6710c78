// expect: unknown
// No unsigned char is more than 255, and gcc knows it before it chooses the order.
extern void reach_error(void);
static int trace;
static int f(int x) {
  trace = trace * 10 + x;
  return x;
}
int main(void) {
  int sum = f(1) + ((unsigned char)f(2) > 255);
  if (trace != 21 || sum != 1) reach_error();
  return 0;
}
