// expect: false(unreach-call) property: unreach-call also: symbolic,bmc
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int mode = __VERIFIER_nondet_int();
  if (fesetround(mode) != 0) {
    if (mode == FE_UPWARD || fegetround() != FE_TONEAREST) reach_error();
    return 0;
  }
  volatile float a = 16777216.0f;
  if (a + 1.0f > a && rint(0.25) == 1.0) reach_error();
  return 0;
}
