// expect: unknown property: unreach-call config: k-induction-paths also: auto,symbolic,bmc
// Each round releases what it finds, by a function.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int *held;
void renew(void) {
  free(held);
  held = malloc(4);
}
int main(void) {
  renew();
  uintptr_t number = (uintptr_t)held;
  for (int i = 0; i < 3; i++) {
    renew();
    if ((uintptr_t)held == number && i == 1)
      reach_error(); // may be reached
  }
  return 0;
}
