// expect: true
// property: valid-memsafety
#include <stdlib.h>
int main(void) {
  volatile long size = -1;
  char *memory = malloc(4), *larger = realloc(memory, size);
  if (!larger) {
    memory[3] = 1;
    free(memory);
  }
  return 0;
}
