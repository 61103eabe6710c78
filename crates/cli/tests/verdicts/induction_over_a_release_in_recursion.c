// expect: unknown property: unreach-call config: recursion also: auto
// The innermost call releases what was allocated before the outermost one.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int *held;
void descend(int n) {
  if (n <= 0) {
    free(held);
    return;
  }
  descend(n - 1);
}
int main(void) {
  held = malloc(4);
  uintptr_t number = (uintptr_t)held;
  descend(__VERIFIER_nondet_int());
  int *fresh = malloc(4);
  if ((uintptr_t)fresh == number)
    reach_error(); // may be reached
  return 0;
}
