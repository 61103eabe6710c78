// expect: true property: valid-memsafety
// What is allocated can be used and freed.
#define _GNU_SOURCE
#include <stdlib.h>
int main(void) {
  int *p = reallocarray(0, 3, sizeof(int));
  p[2] = 1;
  p = reallocarray(p, 4, sizeof(int));
  p[3] = p[2];
  free(p);
  return 0;
}
