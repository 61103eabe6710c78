// expect: unknown property: unreach-call also: value,symbolic,bmc,k-induction-formulas,k-induction-paths,predicate,bam-value,bam-symbolic
// Two arrays of blocks that follow each other may lie at one place, and do with gcc.
#include <stdint.h>
extern void reach_error(void);
void *volatile shown;
int main(void) {
  uintptr_t before;
  {
    long first[32];
    first[0] = 1;
    shown = first;
    before = (uintptr_t)shown;
  }
  {
    long second[32];
    second[0] = 2;
    shown = second;
    if (before == (uintptr_t)shown)
      reach_error(); // may be reached
  }
  return 0;
}
