// expect: false(unreach-call)
extern void reach_error(void);

#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof(int));
  if (*p == 11)
    reach_error(); // violation
  free(p);
  return 0;
}
