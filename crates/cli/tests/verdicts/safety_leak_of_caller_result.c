// expect: false(valid-memtrack) property: valid-memsafety

#include <stdlib.h>
int *make(void) {
  return malloc(4);
}
int main(void) {
  make();
  return 0;
}
