// expect: true
// The third side is computed where it is a number, and enclosed elsewhere; a cube root is enclosed; fmal rounds once.
#include <math.h>
extern void reach_error(void);
int main(void) {
  if (hypot(3, -4) != 5 || hypot(0, -2.5) != 2.5 || hypotf(5, 12) != 13) reach_error();
  if (hypot(1, 1) < 1.414 || hypot(1, 1) > 1.4143) reach_error();
  double root = cbrt(-27);
  if (root >= 0 || root < -28) reach_error();
  if (fmal(0x1.0000000000000002p0L, 0x1.0000000000000002p0L, -0x1.0000000000000004p0L) != 0x1p-126L) reach_error();
  int x = signbit(-1.0) != 0;
  if (x != 1) reach_error();
  return 0;
}
