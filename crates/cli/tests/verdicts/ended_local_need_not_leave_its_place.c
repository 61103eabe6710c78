// expect: unknown property: unreach-call also: value,symbolic,bmc,k-induction-formulas,k-induction-paths,predicate,bam-value
// Nor does an input decide that they lie at different places: no harness could show it.
#include <stdint.h>
extern void reach_error(void);
uintptr_t number_of(int *p) { return (uintptr_t)p; }
int main(void) {
  uintptr_t before;
  {
    int first[32];
    before = number_of(first);
  }
  int second[32];
  if (before != number_of(second))
    reach_error(); // depends on the compiler
  return 0;
}
