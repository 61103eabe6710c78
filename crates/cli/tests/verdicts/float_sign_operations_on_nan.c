// expect: true
// Operations on the sign bit set the sign of a NaN as well: copysign, fabs, negation, and copies of bits.
#include <math.h>
#include <string.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  double product = x * y;
  double n = copysign(product, -2.0);
  if (!signbit(n)) reach_error();
  if (signbit(fabs(product))) reach_error();
  if (!signbit(-fabs(product))) reach_error();
  if (!signbit(-n) == !signbit(n)) reach_error();
  double c = __builtin_copysign(__builtin_nanf(""), -1.0);
  if (!isnan(c) || !signbit(c)) reach_error();
  unsigned long long bits;
  memcpy(&bits, &n, sizeof bits);
  if (!(bits >> 63)) reach_error();
  double copy = n;
  if (!signbit(copy)) reach_error();
  if (signbit(copysignf(-__builtin_nanf(""), 1.0f))) reach_error();
  if (!signbit(copysignl(__builtin_nanl(""), -1.0L))) reach_error();
  return 0;
}
