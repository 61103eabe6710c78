// expect: unknown property: unreach-call also: value,symbolic,bmc,k-induction-formulas,k-induction-paths,predicate
// The address of an object that is gone, as a number: the new object may be in its place.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *p = malloc(4);
  uintptr_t before = (uintptr_t)p;
  int rounds = 0;
  char *q = realloc(p, 8);
  uintptr_t after = (uintptr_t)q;
  while (__VERIFIER_nondet_int() && rounds < 100)
    rounds++;
  if (before == after && rounds != 50) reach_error();
  free(q);
  return 0;
}
