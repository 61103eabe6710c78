// expect: true property: valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct operations { int (*one)(int); };
static int same(int x) { return x; }
static int next(int x) { return x + 1; }
static int (*table[2])(int) = {same, next};
int main(void) {
  struct operations *o = malloc(sizeof *o);
  o->one = table[__VERIFIER_nondet_int() & 1];
  int value = o->one(3);
  int (*none)(int) = 0;
  if (none) value += none(value);
  free(o);
  return value;
}
