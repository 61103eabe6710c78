// expect: unknown property: unreach-call also: value,symbolic,bmc,k-induction-formulas,bam-value,predicate,k-induction-paths
// realloc may leave an object where it is, or move it.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  char *p = malloc(4);
  char *q = realloc(p, 8);
  if (p == q) reach_error();
  free(q);
  return 0;
}
