// expect: unknown | false(unreach-call)
// two answers: The time is stored.
#include <time.h>
extern void reach_error(void);
int main(void) {
  struct timespec now = {0, 0};
  timespec_get(&now, TIME_UTC);
  if (now.tv_sec > 0) reach_error();
  return 0;
}
