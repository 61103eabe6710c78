// expect: true property: no-overflow
// The number of characters is known.
#include <stdio.h>
int main(void) {
  int n = printf("hello\n");
  n = n + 1;
  return n;
}
