// expect: true property: valid-deref also: symbolic,value,bmc
// The memory is lost, which `valid-deref` does not ask about.
#include <stdlib.h>

int main(void) {
  int *cell = malloc(sizeof(int));
  *cell = 1;
  cell = 0;
  return 0;
}
