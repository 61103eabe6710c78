// expect: unknown | false(valid-deref) property: valid-memsafety config: k-induction-paths
// two answers: induction need not find the violation, but must not prove its absence
// The variable of the round before is gone.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = 0;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    int x = i;
    if (p && i == 5) *p = 1;
    p = &x;
  }
  return 0;
}
