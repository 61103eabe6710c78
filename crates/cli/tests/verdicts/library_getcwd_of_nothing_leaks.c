// expect: false(valid-memtrack) property: valid-memsafety
// The buffer that glibc makes must be freed.
#include <unistd.h>
int main(void) {
  char *here = getcwd(0, 0);
  here = 0;
  return 0;
}
