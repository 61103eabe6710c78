// expect: false(valid-deref) property: valid-memsafety
// A product that does not fit is not allocated, although its lower half is 0.
#include <stdlib.h>
int main(void) {
  char *p = calloc((size_t)1 << 63, 2);
  p[0] = 1; // violation
  free(p);
  return 0;
}
