// expect: false(unreach-call)
// The rest is filled with zeros.
#define _GNU_SOURCE
#include <string.h>
extern void reach_error(void);
int main(void) {
  char to[4] = "xyz";
  char *end = stpncpy(to, "a", 3);
  if (to[0] == 'a' && to[2] == 0 && end == to + 1) reach_error(); // violation
  return 0;
}
