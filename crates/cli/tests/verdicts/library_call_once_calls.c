// expect: true
// The function is called, and once.
#include <threads.h>
extern void reach_error(void);
static int count;
static void start(void) { count++; }
int main(void) {
  static once_flag once = ONCE_FLAG_INIT;
  call_once(&once, start);
  call_once(&once, start);
  if (count != 1) reach_error();
  return 0;
}
