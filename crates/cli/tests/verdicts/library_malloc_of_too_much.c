// expect: true
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  volatile int size = -4;
  if (malloc(size)) reach_error();
  return 0;
}
