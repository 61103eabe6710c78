// expect: unknown | false(valid-deref) property: valid-memsafety config: k-induction-paths
// two answers: induction need not find the violation, but must not prove its absence
// The last round is one too many.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) return 0;
  int *a = malloc(n * sizeof(int));
  if (!a) return 0;
  for (int i = 0; i <= n; i++) a[i] = 0;
  free(a);
  return 0;
}
