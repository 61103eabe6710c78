// expect: unknown property: valid-memsafety config: predicate
// All is well here, but regions of predicates do not tell which objects live: they show violations of memory safety only.
#include <stdlib.h>

int main(void) {
  int *p = malloc(8);
  p[1] = 3;
  free(p);
  return 0;
}
