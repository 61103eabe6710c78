// expect: false(unreach-call)
// Without a buffer glibc makes one.
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  char *here = getcwd(0, 0);
  if (here) reach_error(); // violation
  return 0;
}
