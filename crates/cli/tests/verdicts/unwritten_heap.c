// expect: false(no-uninitialised-read) property: no-uninitialised-read
#include <stdlib.h>
int main(void) {
  int *p = malloc(2 * sizeof(int));
  p[0] = 1;
  int x = p[1];
  free(p);
  return x ? 1 : 0; // violation
}
