// expect: true property: valid-memsafety
#include <alloca.h>
int main(void) {
  char *p;
  { p = alloca(4); }
  p[3] = 1;
  return 0;
}
