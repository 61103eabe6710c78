// expect: true
// Of a comparison the sign is computed.
#include <string.h>
extern void reach_error(void);
int main(void) {
  char a[] = "c", b[] = "a";
  if (strcmp(a, b) <= 0 || memcmp(b, a, 2) >= 0 || strcmp(a, "c")) reach_error();
  return 0;
}
