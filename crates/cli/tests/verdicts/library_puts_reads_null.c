// expect: false(valid-deref) property: valid-memsafety
// A string that is printed is read, and there is none at null.
#include <stdio.h>
int main(void) {
  char *p = 0;
  puts(p); // violation
  return 0;
}
