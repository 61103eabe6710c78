// expect: true property: unreach-call also: symbolic,value,bmc,k-induction-formulas
// Found with gcc on x86: what the four modes make of one division, a sum, a conversion and a root.
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
static volatile double one = 1.0, three = 3.0, two = 2.0;
int main(void) {
  double d[4], r[4];
  float f[4];
  int modes[4] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  for (int i = 0; i < 4; i++) {
    if (fesetround(modes[i]) != 0 || fegetround() != modes[i]) reach_error();
    d[i] = one / three;
    f[i] = (float)d[i];
    r[i] = -sqrt(two);
  }
  if (!(d[1] < d[2] && d[0] == d[1] && d[3] == d[1])) reach_error();
  if (!(f[1] < f[2] && f[3] == f[1])) reach_error();
  if (!(r[1] > r[2] && r[3] == r[1])) reach_error();
  return 0;
}
