// expect: true property: unreach-call also: symbolic,bmc,k-induction-formulas
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x > -1000.0 && x < 1000.0)) return 0;
  fesetround(FE_DOWNWARD);
  if (rint(x) != floor(x) || lrint(x) != (long)floor(x)) reach_error();
  fesetround(FE_UPWARD);
  if (nearbyint(x) != ceil(x)) reach_error();
  fesetround(FE_TOWARDZERO);
  if (rint(x) != trunc(x) || llrint(x) != (long long)x) reach_error();
  fesetround(FE_TONEAREST);
  if (lrint(2.5) != 2 || lround(2.5) != 3 || rint(-0.5) != 0.0) reach_error();
  return 0;
}
