// expect: false(valid-deref) property: valid-memsafety
// As many bytes as the argument says are read.
#include <unistd.h>
int main(void) {
  char text[3] = {1, 2, 3};
  write(1, text + 1, 3); // violation
  return 0;
}
