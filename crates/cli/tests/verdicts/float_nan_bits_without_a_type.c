// expect: unknown
// A NaN that is stored in memory without a type and read as a number.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  volatile float zero = 0;
  void *p = malloc(4);
  *(float *)p = zero / zero;
  unsigned bits = *(unsigned *)p;
  free(p);
  if (bits == 0xffc00000u) reach_error();
  return 0;
}
