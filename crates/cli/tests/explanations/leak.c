#include <stdlib.h>
int main(void) {
  char *p = malloc(16);
  p = 0;
  return p != 0;
}
