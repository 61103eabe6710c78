// expect: unknown property: unreach-call also: value,symbolic,bmc,k-induction-formulas,bam-value
// A new object may lie where a dead one was.
#include <stdlib.h>
extern void reach_error(void);
static int *make(void) { return malloc(4); }
int main(void) {
  int *p = malloc(4);
  free(p);
  int *q = make();
  if (p == q) reach_error();
  free(q);
  return 0;
}
