// expect: false(unreach-call)
// A long double has more digits than a double.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  if (strtold("0.1", 0) != 0.1) reach_error(); // violation
  return 0;
}
