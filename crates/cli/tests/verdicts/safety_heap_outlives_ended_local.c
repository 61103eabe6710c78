// expect: true property: valid-memsafety

// The local of the inner block has ended when memory is allocated; the memory does not end with the frame.
#include <stdlib.h>
int *make(void) {
  {
    int local = 1;
    int *q = &local;
    *q = 2;
    q = 0;
  }
  int *p = malloc(sizeof *p);
  *p = 5;
  return p;
}
int main(void) {
  int *p = make();
  *p = *p + 1;
  free(p);
  return 0;
}
