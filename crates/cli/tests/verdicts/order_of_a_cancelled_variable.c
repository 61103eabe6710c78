// expect: unknown
// gcc takes `g - (f(1) + g)` for `-f(1)`; read where they stand, the two values of `g` differ.
extern void reach_error(void);
static int g = 3;
static int f(int x) {
  g += x;
  return x;
}
int main(void) {
  if (g - (f(1) + g) != -1) reach_error();
  return 0;
}
