// expect: true
// The whole part and the rest have the sign of the number.
#include <math.h>
extern void reach_error(void);
int main(void) {
  double whole;
  float part;
  if (modf(-3.5, &whole) != -0.5 || whole != -3) reach_error();
  if (1 / modf(4, &whole) < 0 || whole != 4) reach_error();
  if (modff(-1.25f, &part) != -0.25f || part != -1) reach_error();
  if (modf(-INFINITY, &whole) != 0 || whole != -INFINITY) reach_error();
  return 0;
}
