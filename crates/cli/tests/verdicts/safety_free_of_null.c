// expect: true property: valid-memsafety

#include <stdlib.h>
int main(void) {
  int *p = 0;
  free(p);
  return 0;
}
