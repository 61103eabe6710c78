// expect: false(unreach-call)
// The function is called, and once.
#include <pthread.h>
extern void reach_error(void);
static int count;
static void start(void) { count++; }
int main(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  pthread_once(&once, start);
  if (count == 1) reach_error(); // violation
  return 0;
}
