// expect: false(unreach-call)
// A thread that runs for ever lets others run.
#include <pthread.h>
extern void reach_error(void);
int x;
void *worker(void *argument) {
  x = 1;
  while (1) {
  }
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  if (x == 1)
    reach_error(); // violation
  return 0;
}
