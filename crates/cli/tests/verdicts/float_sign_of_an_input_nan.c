// expect: true
// A NaN with a sign of the program's own making keeps it through variables, arguments and memory.
#include <math.h>
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
static float same(float x) { return x; }
int main(void) {
  union { float f; unsigned u; } u;
  u.f = __VERIFIER_nondet_float();
  unsigned before = u.u;
  float g = same(-u.f);
  u.f = g;
  if (u.u != (before ^ 0x80000000u)) reach_error();
  float m = fabsf(g);
  u.f = m;
  if (u.u != (before & 0x7fffffffu)) reach_error();
  return 0;
}
