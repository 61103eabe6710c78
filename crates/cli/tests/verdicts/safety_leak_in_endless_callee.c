// expect: false(valid-memtrack) | unknown property: valid-memsafety config: bam-value
// two answers: a loss before a program runs for ever need not be found, but must not be proved absent

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
