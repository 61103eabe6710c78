// expect: true property: valid-memsafety
// Without the option, an object is there.
#include <stdlib.h>

int main(void) {
  int *a = malloc(sizeof *a);
  *a = 1;
  free(a);
  return 0;
}
