// expect: true property: valid-memsafety

#include <stdlib.h>
int *keep;
int main(void) {
  keep = malloc(4);
  return 0;
}
