// expect: unknown | true property: valid-memsafety
// two answers: There may be many arguments, of which only the first are known; all of them may be read.
#include <stdio.h>
int main(int argc, char *argv[]) {
  for (int i = 1; i < argc; i++) puts(argv[i]);
  return 0;
}
