// expect: false(valid-memtrack) property: valid-memsafety

#include <stdlib.h>
struct holder { int *inner; };
struct holder *kept;
int main(void) {
  kept = malloc(sizeof(struct holder));
  kept->inner = malloc(4);
  kept->inner = 0;
  return 0;
}
