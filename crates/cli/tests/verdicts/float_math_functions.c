// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

#include <math.h>
int main(void) {
  check(fabs(-2.5) == 2.5);
  check(sqrt(9.0) == 3.0);
  check(floor(-1.5) == -2.0 && ceil(-1.5) == -1.0 && trunc(-1.5) == -1.0);
  check(isnan(0.0 / 0.0));
  check(fmax(1.0, 2.0) == 2.0);
  return 0;
}
