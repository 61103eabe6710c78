// expect: false(valid-free) property: valid-memsafety
#include <stdlib.h>
int main(void) {
  char *p = __builtin_alloca(4);
  free(p); // violation
  return 0;
}
