// expect: true
// A long double has more digits than a double.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  long double third = strtold("0.1", 0);
  if (third != 0.1L) reach_error();
  if (strtod("0.1", 0) != 0.1 || strtof("0.1", 0) != 0.1f) reach_error();
  if (strtod("-2.5e-3x", 0) != -2.5e-3 || atof(" 12") != 12) reach_error();
  return 0;
}
