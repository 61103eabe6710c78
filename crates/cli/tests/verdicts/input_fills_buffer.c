// expect: false(unreach-call) | unknown
// two answers: what the library function writes is not chosen by every analysis
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  char text[4] = {0};
  if (fread(text, 1, 3, stdin) == 3 && text[0] == 'x')
    reach_error(); // violation
  return 0;
}
