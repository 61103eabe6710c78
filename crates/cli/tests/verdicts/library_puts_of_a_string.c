// expect: true property: valid-memsafety
// The terminator ends the reading.
#include <stdio.h>
int main(void) {
  char text[3] = {'a', 'b'};
  puts(text);
  fputs(text + 2, stdout);
  return 0;
}
