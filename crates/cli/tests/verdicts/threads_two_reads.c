// expect: false(unreach-call)
// A condition on two variables reads one after the other.
#include <pthread.h>
extern void reach_error(void);
int x, y;
void *worker(void *argument) {
  x = 1;
  x = 0;
  y = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  if (x == 1 && y == 1)
    reach_error(); // violation
  return 0;
}
