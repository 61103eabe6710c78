// expect: true | false(valid-memtrack) property: valid-memsafety

// Whether memory that only a local of main points to is lost at the end is a matter of reading; both answers are accepted here.
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  *p = 1;
  return 0;
}
