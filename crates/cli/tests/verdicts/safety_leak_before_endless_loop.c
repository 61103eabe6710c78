// expect: false(valid-memtrack) | unknown property: valid-memsafety

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
