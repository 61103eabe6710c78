// expect: true
#include <stdlib.h>
extern void reach_error(void);
static int x;
static void never(void) { reach_error(); }
static void last(void) { if (x != 1) reach_error(); }
static void first(void) { x = 1; }
int main(void) {
  atexit(never);
  at_quick_exit(last);
  at_quick_exit(first);
  quick_exit(0);
}
