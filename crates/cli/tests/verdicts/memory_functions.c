// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

#include <string.h>
int main(void) {
  int a[4] = {1, 2, 3, 4}, b[4];
  memset(b, 0, sizeof(b));
  check(b[0] == 0 && b[3] == 0);
  memcpy(b, a, 2 * sizeof(int));
  check(b[0] == 1 && b[1] == 2 && b[2] == 0);
  memmove(a + 1, a, 3 * sizeof(int));
  check(a[0] == 1 && a[1] == 1 && a[2] == 2 && a[3] == 3);
  check(memcmp(a, b, sizeof(int)) == 0);
  memset(b, 255, sizeof(int));
  check(b[0] == -1);
  return 0;
}
