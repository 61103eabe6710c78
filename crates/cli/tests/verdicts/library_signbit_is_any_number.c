// expect: unknown | false(unreach-call)
// two answers: The number for a negative float is any but zero.
#include <math.h>
extern void reach_error(void);
int main(void) {
  volatile long double x = -1;
  if (__builtin_signbitl(x) != 1) reach_error();
  return 0;
}
