// expect: false(valid-deref) property: valid-memsafety
// The first bytes differ, but memcmp may read all that it is given.
#include <string.h>
int main(void) {
  char a[2] = {1, 2}, b[4] = {9, 9, 9, 9};
  return memcmp(a, b, 3) < 0; // violation
}
