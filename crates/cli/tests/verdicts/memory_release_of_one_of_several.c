// expect: true property: valid-memsafety also: symbolic
// What is released is null or one of two objects; the same object stands behind two of the cases.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  char *q = n == 5 ? 0 : malloc(4);
  if (!q && n != 6) q = n == 7 ? 0 : malloc(8);
  free(q);
  return 0;
}
