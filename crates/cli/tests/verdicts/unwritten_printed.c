// expect: false(no-uninitialised-read) property: no-uninitialised-read
#include <stdio.h>
int main(void) {
  int x;
  printf("%d\n", x); // violation
  return 0;
}
