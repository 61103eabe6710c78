// expect: true property: valid-memsafety

#include <stdlib.h>
int main(void) {
  int running = 1;
  int *p = malloc(4);
  while (running) {
    *p = 3;
  }
  free(p);
  return 0;
}
