// expect: unknown
// Of a comparison only the sign is to be relied upon.
#include <string.h>
extern void reach_error(void);
int main(void) {
  char a[] = "c", b[] = "a";
  if (strcmp(a, b) == 100) reach_error();
  return 0;
}
