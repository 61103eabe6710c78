// expect: false(unreach-call) model: LP64,ILP32
// Two arguments of their own lengths.
#include <string.h>
extern void reach_error(void);
int main(int argc, char *argv[]) {
  if (argc == 3 && !strcmp(argv[1], "-o") && strlen(argv[2]) == 2) reach_error(); // violation
  return 0;
}
