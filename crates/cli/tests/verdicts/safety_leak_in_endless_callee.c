// expect: false(valid-memtrack) | unknown property: valid-memsafety config: bam-value

#include <stdlib.h>
int running = 1;
void spin(void) {
  while (running) {
  }
}
int main(void) {
  int *p = malloc(4);
  p = 0;
  spin();
  return 0;
}
