// expect: false(valid-deref)
// property: valid-memsafety
#include <stdlib.h>
int main(void) {
  char *memory = malloc(-4);
  memory[0] = 1; // violation
  free(memory);
  return 0;
}
