// expect: unknown
#include <stdlib.h>
extern void reach_error(void);
static void at_end(void) { reach_error(); }
int main(void) {
  atexit(at_end);
  return 0;
}
