// expect: false(unreach-call)
// The remainder of a negative number is negative.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > -100 && x < 100 && div(x, 8).rem == -3) reach_error();
  return 0;
}
