// expect: false(valid-deref) property: valid-memsafety config: symbolic
// The size of an object is an input; a later input is another one, even where the first is named nowhere else.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100)
    return 0;
  char *p = malloc(n);
  for (int i = 0; i < 2; i++) {
    int x = __VERIFIER_nondet_int();
    if (x >= 1 && x <= 100)
      p[x - 1] = 0; // violation
  }
  free(p);
  return 0;
}
