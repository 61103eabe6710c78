// expect: true property: valid-memsafety

#include <stdlib.h>
char *kept;
int main(void) {
  kept = malloc(4);
  kept += 4;
  return 0;
}
