// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

#include <stdlib.h>
int main(void) {
  int *a = calloc(4, sizeof(int));
  check(a[0] == 0 && a[3] == 0);
  a = realloc(a, 8 * sizeof(int));
  check(a[1] == 0);
  a[7] = 1;
  check(a[7] == 1);
  free(a);
  return 0;
}
