// expect: false(valid-deref) property: valid-memsafety
// A string that is printed is read.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(2);
  p[0] = 0;
  free(p);
  puts(p); // violation
  return 0;
}
