// expect: true unknown-ok
// property: no-data-race
// A lock around each access; before the threads begin and after they have ended none is needed.
#include <pthread.h>
int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  for (;;) {
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
void *last(void *argument) {
  shared = 3;
  return 0;
}
int main(void) {
  pthread_t a, b;
  shared = 1;
  pthread_create(&a, 0, last, 0);
  pthread_join(a, 0);
  shared = 2;
  while (1) pthread_create(&b, 0, worker, 0);
}
