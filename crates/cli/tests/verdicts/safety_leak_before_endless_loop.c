// expect: false(valid-memtrack) | unknown property: valid-memsafety
// two answers: a loss before a program runs for ever need not be found, but must not be proved absent

// The program never ends, and its memory is lost all the same.
#include <stdlib.h>
int main(void) {
  int running = 1;
  int *p = malloc(4);
  p = 0;
  while (running) {
  }
  free(p);
  return 0;
}
