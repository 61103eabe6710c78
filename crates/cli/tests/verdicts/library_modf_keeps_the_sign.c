// expect: false(unreach-call)
// Zero has a sign.
#include <math.h>
extern void reach_error(void);
int main(void) {
  double whole, rest = modf(-0.0, &whole);
  if (1 / rest < 0 && 1 / whole < 0) reach_error(); // violation
  return 0;
}
