// expect: false(valid-free) property: valid-memsafety

#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  free(p + 1); // violation
  return 0;
}
