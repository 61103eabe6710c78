// expect: false(valid-free) property: valid-memsafety
extern int __VERIFIER_nondet_int(void);

#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  free(p);
  if (__VERIFIER_nondet_int())
    free(p); // violation
  return 0;
}
