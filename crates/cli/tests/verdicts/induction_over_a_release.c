// expect: unknown property: unreach-call config: k-induction-paths also: auto,arrays,k-induction-formulas
// Some round releases what lives before the loop, so that what is allocated behind it may have the same address.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  int *old = malloc(4);
  uintptr_t number = (uintptr_t)old;
  for (int i = 0; i < 1000000; i++)
    if (i == 500000)
      free(old);
  int *fresh = malloc(4);
  if ((uintptr_t)fresh == number)
    reach_error(); // may be reached
  return 0;
}
