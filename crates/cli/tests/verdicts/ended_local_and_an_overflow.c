// expect: unknown property: no-overflow also: value,symbolic,bmc,k-induction-paths,bam-value
// What decides about the overflow is whether two compound literals lie at one place.
#include <stdint.h>
struct block { int v[16]; };
void *volatile shown;
int main(void) {
  uintptr_t before;
  int count = 2147483647;
  {
    struct block *p = &(struct block){{1}};
    shown = p;
    before = (uintptr_t)shown;
  }
  {
    struct block *q = &(struct block){{2}};
    shown = q;
    if (before == (uintptr_t)shown)
      count++; // may overflow
  }
  return 0;
}
