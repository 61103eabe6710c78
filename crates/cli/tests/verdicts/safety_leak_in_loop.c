// expect: false(valid-memtrack) property: valid-memsafety

#include <stdlib.h>
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++)
    p = malloc(4);
  free(p);
  return 0;
}
