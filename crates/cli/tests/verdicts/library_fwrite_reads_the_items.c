// expect: false(valid-deref) property: valid-memsafety
// As many items as the arguments say are read.
#include <stdio.h>
int main(void) {
  int numbers[3] = {1, 2, 3};
  fwrite(numbers, sizeof(int), 4, stdout); // violation
  return 0;
}
