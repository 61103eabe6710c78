// expect: false(valid-deref) property: valid-memsafety
// An array of three has no fourth element.
#define _GNU_SOURCE
#include <stdlib.h>
int main(void) {
  int *p = reallocarray(0, 3, sizeof(int));
  p[2] = 1;
  p[3] = 1; // violation
  free(p);
  return 0;
}
