// expect: false(no-uninitialised-read) property: no-uninitialised-read
// What is copied from an argument is written, and what lies beside it is not.
#include <string.h>
int main(int argc, char **argv) {
  char name[8];
  if (argc != 2)
    return 0;
  name[0] = argv[1][0];
  if (name[0] == 'a')
    return 1;
  if (name[4] == 'b') // violation
    return 2;
  return 0;
}
