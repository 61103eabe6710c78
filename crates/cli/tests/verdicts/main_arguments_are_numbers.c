// expect: false(unreach-call)
// The text of an argument is chosen, and the harness passes it.
#include <stdlib.h>
extern void reach_error(void);
int main(int argc, char **argv) {
  if (argc > 1 && atoi(argv[1]) == 42) reach_error(); // violation
  return 0;
}
