// expect: false(valid-deref) property: valid-memsafety
#include <stdlib.h>
struct operations { int (*first)(int), (*second)(int); };
static int same(int x) { return x; }
int main(void) {
  struct operations *o = calloc(1, sizeof *o);
  o->first = same;
  int sum = o->first(3);
  sum += o->second(4); // violation
  free(o);
  return sum;
}
