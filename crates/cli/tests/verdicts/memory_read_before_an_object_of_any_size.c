// expect: unknown also: symbolic also: value also: interval
// Bytes before the beginning of an object whose size is not known: undefined, and nothing that comes later counts.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 16) return 0;
  char *o = malloc(n);
  o[0] = 1;
  int *p = (int *)(o - 3);
  if (*p == 7) reach_error();
  *p = 1;
  return 0;
}
