// expect: true
// A product that does not fit is not allocated.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  char *p = calloc((size_t)1 << 60, 32);
  if (p) reach_error();
  return 0;
}
