// expect: false(valid-deref) property: valid-memsafety
// Without a terminator the reading goes on behind the array.
#include <stdio.h>
int main(void) {
  char text[2] = {'a', 'b'};
  puts(text); // violation
  return 0;
}
