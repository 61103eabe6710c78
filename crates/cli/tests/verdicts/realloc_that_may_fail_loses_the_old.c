// expect: false(valid-memtrack) property: valid-memsafety malloc-may-fail
// The only pointer to the old object is overwritten by null.
#include <stdlib.h>

int main(void) {
  char *a = malloc(4);
  if (!a) return 0;
  a = realloc(a, 8);
  free(a);
  return 0;
}
