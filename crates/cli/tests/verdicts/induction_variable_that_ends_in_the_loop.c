// expect: unknown | false(valid-deref) property: valid-memsafety config: k-induction-paths
// two answers: induction need not find the violation, but must not prove its absence
// The loop leaves the block of a variable that was alive where it began.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = 0;
  int n = __VERIFIER_nondet_int(), i = 0;
  {
    int x = 1;
    p = &x;
  again:
    i++;
  }
  if (i < n) {
    if (i == 4) *p = 2;
    goto again;
  }
  return 0;
}
