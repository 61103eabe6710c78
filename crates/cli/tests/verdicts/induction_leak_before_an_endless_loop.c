// expect: unknown | false(valid-memtrack) property: valid-memsafety config: k-induction-paths
// two answers: induction need not find the violation, but must not prove its absence
// What is lost before the loop stays lost while it runs.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = malloc(4);
  int x = 1;
  p = 0;
  while (x) x = x > 0 ? x : 1;
  return 0;
}
