// expect: false(valid-deref) property: valid-memsafety
// The width is an argument of its own, and what comes after it is read.
#include <stdio.h>
int main(int argc, char **argv) {
  char *name = argc > 5 ? "x" : 0;
  fprintf(stderr, "%*d%s", 3, 4, name); // violation
  return 0;
}
