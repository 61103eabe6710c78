// expect: false(unreach-call)
// An argument that is longer than the short ones.
#include <string.h>
extern void reach_error(void);
int main(int argc, char *argv[]) {
  if (argc == 2 && !strcmp(argv[1], "--verbose")) reach_error(); // violation
  return 0;
}
