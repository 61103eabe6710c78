// expect: false(valid-deref) property: valid-memsafety malloc-may-fail
// The object is written without a look at whether there is one.
#include <stdlib.h>

int main(void) {
  int *a = malloc(sizeof *a);
  *a = 1; // violation
  free(a);
  return 0;
}
