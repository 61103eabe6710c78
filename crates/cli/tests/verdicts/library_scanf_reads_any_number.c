// expect: false(unreach-call)
// Anything can be typed.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  int x = 1, y = 2;
  if (scanf("%d%d", &x, &y) == 2 && x == 77 && y == -3) reach_error(); // violation
  return 0;
}
