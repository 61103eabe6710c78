// expect: unknown
#include <signal.h>
extern void reach_error(void);
static int state;
static void handler(int number) {
  if (state == 1)
    reach_error();
}
int main(void) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, handler);
  state = 1;
  state = 0;
  return 0;
}
