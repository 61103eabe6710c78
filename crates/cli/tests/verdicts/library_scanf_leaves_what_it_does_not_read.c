// expect: true
// Values that are not there are not stored.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  int x = 1, y = 2;
  int n = scanf("%d%d", &x, &y);
  if (n < 1 && x != 1) reach_error();
  if (n < 2 && y != 2) reach_error();
  if (n < -1 || n > 2) reach_error();
  return 0;
}
