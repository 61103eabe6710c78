// expect: unknown | false(unreach-call)
// two answers: A NaN that the machine makes may be of either sign.
#include <math.h>
extern void reach_error(void);
int main(void) {
  volatile double zero = 0;
  if (copysign(1, zero / zero) > 0) reach_error();
  return 0;
}
