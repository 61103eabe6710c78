// expect: false(unreach-call)
// The disk may be full.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  if (printf("hello\n") < 0) reach_error(); // violation
  return 0;
}
