// expect: true property: no-uninitialised-read also: symbolic,bmc,k-induction-formulas,value-cegar
// Whoever starts a program has written its arguments.
#include <string.h>
int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "-v") == 0 && argv[2][0] == 'x')
    return 1;
  return argc > 5 && argv[5] != 0;
}
