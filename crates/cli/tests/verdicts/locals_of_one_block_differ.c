// expect: true property: unreach-call also: value,symbolic,bmc,k-induction-formulas,k-induction-paths,predicate,bam-value,bam-symbolic
// Variables that are alive together have different addresses, also after the end of a block that had others.
#include <stdint.h>
extern void reach_error(void);
int *volatile shown;
int main(void) {
  int a = 1, b = 2;
  {
    int c = 3;
    shown = &c;
  }
  int *p = &a, *q = &b;
  if (p == q || (uintptr_t)p == (uintptr_t)q)
    reach_error();
  return a + b == 3 ? 0 : 1;
}
