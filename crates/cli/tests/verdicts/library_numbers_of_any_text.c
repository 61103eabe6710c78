// expect: false(unreach-call)
// A text of two bytes that is the number 73, found by its digits.
#include <stdlib.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char text[3] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 0};
  if (atoi(text) == 73) reach_error();
  return 0;
}
