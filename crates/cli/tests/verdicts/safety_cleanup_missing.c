// expect: false(valid-memcleanup) property: valid-memcleanup

#include <stdlib.h>
int *keep;
int main(void) {
  keep = malloc(4);
  return 0;
}
