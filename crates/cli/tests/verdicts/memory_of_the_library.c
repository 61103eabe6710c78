// expect: unknown property: valid-memsafety
// What getenv returns, where it is not null, is a string that somebody else made: reading it is no violation.
#include <stdlib.h>
int main(void) {
  char *home = getenv("HOME");
  if (!home) return 0;
  return home[0] == '/';
}
