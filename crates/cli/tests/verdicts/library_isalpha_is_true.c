// expect: true
// Whether the test holds is what counts.
#include <ctype.h>
extern void reach_error(void);
int main(void) {
  if (!(isalpha)('a') || (isalpha)('1') != 0 || (isdigit)('1') == 0) reach_error();
  return 0;
}
