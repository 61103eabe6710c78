// expect: unknown property: unreach-call also: symbolic,bmc
// Enclosures of the library's functions are for rounding to nearest.
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
  fesetround(FE_UPWARD);
  if (sin(__VERIFIER_nondet_double()) > 1.0) reach_error();
  return 0;
}
