// expect: false(unreach-call)
// What alignment decides is no choice.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  void *p = malloc(1);
  if ((uintptr_t)p % 8 == 0) reach_error();
  free(p);
  return 0;
}
