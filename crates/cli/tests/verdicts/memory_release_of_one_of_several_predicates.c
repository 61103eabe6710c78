// expect: unknown property: valid-memcleanup config: predicate
// As memory_release_of_one_of_several.c: predicates alone prove nothing here, and come to no wrong place.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  char *q = n == 5 ? 0 : malloc(4);
  if (!q && n != 6) q = n == 7 ? 0 : malloc(8);
  free(q);
  return 0;
}
