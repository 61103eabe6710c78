// expect: true property: valid-memsafety config: k-induction-paths
// Every access of loops without bound is inside an array of any length.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) return 0;
  int *a = malloc(n * sizeof(int));
  if (!a) return 0;
  for (int i = 0; i < n; i++) a[i] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (a[j] > a[i]) a[i] = a[j];
  free(a);
  return 0;
}
