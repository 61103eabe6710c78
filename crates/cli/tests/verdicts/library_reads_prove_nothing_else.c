// expect: true property: unreach-call
// A read of freed memory by a library function is another property's business.
#include <stdio.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  char *name = malloc(4);
  name[0] = 'a';
  name[1] = 0;
  int x = 1;
  free(name);
  puts(name);
  if (x != 1)
    reach_error();
  return 0;
}
