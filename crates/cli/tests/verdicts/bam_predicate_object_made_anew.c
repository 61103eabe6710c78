// expect: unknown config: bam-predicate set: block-size=0 set: blocks=both
// The block ends an object and makes another one, which may lie where the first did: the caller's pointer, which the
// block does not see, says nothing of the new one.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int *shared;
static void make(void) { shared = malloc(4); }
static void again(void) {
  int i = 0;
  while (i < 2) i++;
  free(shared);
  make();
}
int main(void) {
  make();
  int *before = shared;
  again();
  if (before == shared) reach_error();
  return 0;
}
