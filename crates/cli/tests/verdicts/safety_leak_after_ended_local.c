// expect: false(valid-memtrack) property: valid-memsafety

#include <stdlib.h>
int *make(void) {
  return malloc(4);
}
int main(void) {
  {
    int local = 1;
    int *q = &local;
    *q = 2;
    q = 0;
  }
  int *p = make();
  *p = 5;
  return 0;
}
