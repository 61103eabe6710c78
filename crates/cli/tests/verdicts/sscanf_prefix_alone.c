// expect: unknown | true
// two answers: C and the versions of glibc do not agree on a prefix without digits, nor on too few characters
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  int x = 7;
  char c[5];
  if (sscanf("0x", "%i", &x) == 0) reach_error();
  if (sscanf("ab", "%5c", c) == -1) reach_error();
  return 0;
}
