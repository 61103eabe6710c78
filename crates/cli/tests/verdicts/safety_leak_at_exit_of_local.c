// expect: false(valid-memtrack) property: valid-memsafety

// When main has returned its variables are gone, and what only they pointed to is lost.
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  *p = 1;
  return 0;
}
