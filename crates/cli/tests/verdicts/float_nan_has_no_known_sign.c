// expect: unknown
// Neither a proof nor a violation may rest on it: on x86 the division gives a negative NaN, a compiler that computes it may give a positive one.
#include <string.h>
extern void reach_error(void);
int main(void) {
  volatile double zero = 0.0;
  double x = zero / zero;
  unsigned long long bits;
  memcpy(&bits, &x, 8);
  if (bits >> 63) reach_error();
  return 0;
}
