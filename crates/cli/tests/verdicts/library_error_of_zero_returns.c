// expect: false(unreach-call)
// Without a status it is a warning.
#include <error.h>
extern void reach_error(void);
int main(void) {
  error(0, 0, "a warning");
  reach_error(); // violation
  return 0;
}
