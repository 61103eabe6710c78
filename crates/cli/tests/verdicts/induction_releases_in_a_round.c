// expect: unknown | false(valid-free) | false(valid-deref) property: valid-memsafety config: k-induction-paths
// two answers: induction need not find the violation, but must not prove its absence
// The second round that comes by releases again.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = malloc(4);
  if (!p) return 0;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    if (i % 3 == 2) free(p);
  return 0;
}
