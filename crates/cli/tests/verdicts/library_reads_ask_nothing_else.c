// expect: false(unreach-call) property: unreach-call
// That a library function reads through its argument is no question of its own: only the call of the error function counts.
#include <stdio.h>
extern void reach_error(void);
extern int *give(void);

int main(void) {
  char name[4] = "abc";
  puts(name);
  int *p = give();
  if (*p == 3)
    reach_error(); // violation
  return 0;
}
