// expect: false(valid-free) property: valid-free also: symbolic,value,bmc
#include <stdlib.h>

int main(void) {
  int *cell = malloc(sizeof(int)), *same = cell;
  *cell = 1;
  free(cell);
  free(same); // violation
  return 0;
}
