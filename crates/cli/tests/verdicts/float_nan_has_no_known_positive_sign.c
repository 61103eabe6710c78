// expect: unknown
// Whether a computed NaN is positive is up to the machine: neither a proof nor a violation may rest on it.
#include <math.h>
extern void reach_error(void);
int main(void) {
  volatile float zero = 0.0f;
  float x = zero / zero;
  if (!signbit(x)) reach_error();
  return 0;
}
