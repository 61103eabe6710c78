// expect: false(valid-deref) property: valid-memsafety
// A conversion of a string reads it to its end.
#include <stdio.h>
int main(void) {
  char text[2] = {'a', 'b'};
  printf("%d %s\n", 1, text); // violation
  return 0;
}
