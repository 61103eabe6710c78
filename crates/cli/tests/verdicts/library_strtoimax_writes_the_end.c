// expect: false(unreach-call)
// The place behind the number is stored.
#include <inttypes.h>
extern void reach_error(void);
int main(void) {
  char *end = 0;
  strtoimax("12x", &end, 10);
  if (end) reach_error(); // violation
  return 0;
}
