// expect: false(valid-memtrack) property: valid-memsafety

#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  p = 0;
  return p != 0;
}
