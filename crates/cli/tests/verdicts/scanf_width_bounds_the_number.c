// expect: unknown | true
// two answers: a number of one digit is not computed, and no violation may choose another
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  int x;
  if (scanf("%1d", &x) == 1 && x > 9) reach_error();
  return 0;
}
