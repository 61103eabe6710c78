// expect: true
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  errno = 3;
  if (abs(-2) != 2 || errno != 3) reach_error();
  errno = 0;
  if (errno) reach_error();
  return 0;
}
