// expect: false(valid-deref) property: valid-memsafety
// Text without a terminator, and a conversion that is not computed.
#include <stdio.h>
int main(void) {
  char text[3] = {'1', '.', '5'};
  float f;
  return sscanf(text, "%f", &f) == 1; // violation
}
