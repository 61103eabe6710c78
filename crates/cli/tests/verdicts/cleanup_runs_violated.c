// expect: false(valid-memtrack) property: valid-memsafety
#include <stdlib.h>
static void done(char **p) { if (**p) free(*p); }
int main(void) {
  char *s __attribute__((cleanup(done))) = malloc(4);
  s[0] = 0;
  return 0;
}
