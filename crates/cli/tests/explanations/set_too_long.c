#include <stdlib.h>
#include <string.h>
int main(void) {
  long *numbers = calloc(4, sizeof *numbers);
  memset(numbers, 1, 5 * sizeof *numbers);
  free(numbers);
  return 0;
}
