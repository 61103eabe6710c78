// expect: unknown | false(unreach-call)
// two answers: A NaN that the machine makes is negative on x86: no proof may rest on the other.
#include <math.h>
extern void reach_error(void);
int main(void) {
  volatile double zero = 0;
  double nan = zero / zero;
  if (signbit(nan)) reach_error();
  return 0;
}
