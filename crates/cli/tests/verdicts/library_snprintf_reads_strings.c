// expect: false(valid-deref) property: valid-memsafety
// The whole string is read for its length, whatever fits.
#include <stdio.h>
int main(void) {
  char text[2] = {'a', 'b'}, to[4];
  snprintf(to, sizeof to, "%s", text); // violation
  return 0;
}
