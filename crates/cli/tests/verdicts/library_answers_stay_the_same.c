// expect: true
// Who asks twice gets the same answer.
#include <stdlib.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  if (getenv("HOME") != getenv("HOME")) reach_error();
  if (isatty(0) != isatty(0) || getpid() != getpid() || getuid() != getuid()) reach_error();
  if (getpagesize() != 4096 || sysconf(_SC_PAGESIZE) != 4096) reach_error();
  return 0;
}
