// expect: false(valid-memtrack) | unknown property: valid-memsafety config: bam-value

#include <stdlib.h>
void deeper(void) {
  deeper();
}
int main(void) {
  int *p = malloc(4);
  p = 0;
  deeper();
  return 0;
}
