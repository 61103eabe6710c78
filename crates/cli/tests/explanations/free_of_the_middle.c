#include <stdlib.h>
int main(void) {
  char *p = malloc(16);
  free(p + 4);
  return 0;
}
