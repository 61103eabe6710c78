// expect: unknown time: 5s
// Nobody says which number it is, and a counterexample may not choose one.
#include <errno.h>
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  errno = 0;
  if (remove("/nowhere") && errno == EACCES) reach_error();
  return 0;
}
