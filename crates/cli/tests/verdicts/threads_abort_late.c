// expect: false(unreach-call)
// A thread that stops the program does so at any time: what it has written is seen before.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
int x;
void *worker(void *argument) {
  x = 1;
  abort();
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  if (x == 1)
    reach_error(); // violation
  return 0;
}
