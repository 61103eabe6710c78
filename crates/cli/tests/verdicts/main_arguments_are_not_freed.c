// expect: false(valid-free) property: valid-memsafety
// Arguments are no memory of malloc, and nobody loses them at the end.
#include <stdlib.h>
int main(int argc, char *argv[]) {
  if (argc > 1) free(argv[1]); // violation
  return 0;
}
