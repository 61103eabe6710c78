// expect: unknown property: valid-memsafety

// Whether memory counts as pointed to by a pointer that was moved far out of it is left open.
#include <stdlib.h>
char *kept;
int main(void) {
  kept = malloc(4);
  kept += 10;
  return 0;
}
