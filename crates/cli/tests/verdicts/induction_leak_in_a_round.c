// expect: unknown | false(valid-memtrack) property: valid-memsafety config: k-induction-paths
// two answers: induction need not find the violation, but must not prove its absence
// Each round but the last loses what it made.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = 0;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) p = malloc(4);
  free(p);
  return 0;
}
