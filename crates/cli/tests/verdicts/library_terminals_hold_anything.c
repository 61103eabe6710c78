// expect: false(unreach-call)
#include <termios.h>
extern void reach_error(void);
int main(void) {
  struct termios t = {0};
  if (tcgetattr(0, &t) == 0 && (t.c_lflag & ECHO)) reach_error();
  return 0;
}
