// expect: unknown
// Which of two NaNs is negative is up to the machine, whichever of both is asked for.
#include <math.h>
extern void reach_error(void);
int main(void) {
  volatile double zero = 0, one = 1;
  double a = zero / zero, b = (one / zero) * zero;
  if (!signbit(a) != !signbit(b)) reach_error();
  return 0;
}
