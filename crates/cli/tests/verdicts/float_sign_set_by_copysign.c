// expect: false(unreach-call)
// A violation does not rest on the NaN that the machine makes where copysign has set its sign.
#include <math.h>
extern void reach_error(void);
int main(void) {
  volatile double zero = 0;
  double n = copysign(zero / zero, -2.0);
  if (isnan(n) && signbit(n)) reach_error();
  return 0;
}
