// expect: false(unreach-call)
// Where the test holds the number is any but zero, and glibc's is not 1.
#include <ctype.h>
extern void reach_error(void);
int main(void) {
  int (*test)(int) = isalpha;
  if ((isalpha)('a') != 1) reach_error(); // violation
  return 0;
}
