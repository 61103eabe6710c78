// expect: true
// property: valid-memsafety
#include <stdlib.h>
int main(void) {
  char *memory = malloc(4), *larger = realloc(memory, -1);
  if (!larger) {
    memory[3] = 1;
    free(memory);
  }
  return 0;
}
