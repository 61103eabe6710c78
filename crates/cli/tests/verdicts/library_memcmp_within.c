// expect: true property: valid-memsafety
// Both arrays are as long as memcmp is told.
#include <string.h>
int main(void) {
  char a[2] = {1, 2}, b[4] = {9, 9, 9, 9};
  return memcmp(a, b, 2) < 0;
}
