// expect: true
// The sixth digit is cut to 32 bits, and the result is not negative.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  if (a64l(".....z") != 0xc0000000L || a64l("zzzzzz") != 0xffffffffL || a64l("/0") != 129 || a64l("") != 0) reach_error();
  return 0;
}
