// expect: false(unreach-call)
#include <stdlib.h>
extern void reach_error(void);
static int x;
static void at_end(void) { if (x == 7) reach_error(); } // violation
int main(void) {
  atexit(at_end);
  x = 7;
  exit(0);
}
