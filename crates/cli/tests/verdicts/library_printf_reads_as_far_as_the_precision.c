// expect: true property: valid-memsafety
// With a precision no terminator is needed.
#include <stdio.h>
int main(void) {
  char text[2] = {'a', 'b'};
  printf("%.2s %.*s %5d\n", text, 1, text, 3);
  return 0;
}
