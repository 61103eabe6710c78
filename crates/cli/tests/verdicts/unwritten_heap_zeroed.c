// expect: true property: no-uninitialised-read
#include <stdlib.h>
int main(void) {
  int *p = calloc(2, sizeof(int));
  int x = p[1];
  free(p);
  return x ? 1 : 0;
}
