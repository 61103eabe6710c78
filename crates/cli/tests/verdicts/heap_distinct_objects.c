// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

#include <stdlib.h>
int main(void) {
  int *p = malloc(4), *q = malloc(4);
  *p = 1;
  *q = 2;
  check(*p == 1 && p != q);
  free(p);
  free(q);
  return 0;
}
