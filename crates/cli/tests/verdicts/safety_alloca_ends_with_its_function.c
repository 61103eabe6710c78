// expect: false(valid-deref) property: valid-memsafety
#include <alloca.h>
static char *f(void) { return alloca(4); }
int main(void) {
  char *p = f();
  p[3] = 1; // violation
  return 0;
}
