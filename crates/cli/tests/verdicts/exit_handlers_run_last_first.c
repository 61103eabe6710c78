// expect: true
#include <stdlib.h>
extern void reach_error(void);
static int order;
static void once_more(void) { if (order != 2) reach_error(); order = 3; }
static void first(void) { if (order != 0) reach_error(); order = 1; }
static void second(void) { if (order != 1) reach_error(); order = 2; atexit(once_more); }
static void never(void) { reach_error(); }
int main(void) {
  at_quick_exit(never);
  atexit(second);
  atexit(first);
  return 0;
}
