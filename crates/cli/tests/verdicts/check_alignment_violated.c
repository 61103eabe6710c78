// expect: false(no-misaligned-access) property: no-misaligned-access
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  char *p = malloc(16);
  if (!p || x > 2) return 0;
  int *q = (int *)(p + 2 * x);
  *q = 3; // violation
  free(p);
  return 0;
}
