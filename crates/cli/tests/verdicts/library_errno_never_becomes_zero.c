// expect: true
#include <errno.h>
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  errno = 5;
  remove("/nowhere");
  if (errno == 0) reach_error();
  return 0;
}
