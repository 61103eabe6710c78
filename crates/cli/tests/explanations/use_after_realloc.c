#include <stdlib.h>
int main(void) {
  int *old = malloc(8);
  old[1] = 3;
  int *larger = realloc(old, 64);
  int kept = old[1];
  free(larger);
  return kept;
}
