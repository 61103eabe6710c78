// expect: false(unreach-call)
// Nobody has to set a variable.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  if (!getenv("HOME")) reach_error(); // violation
  return 0;
}
