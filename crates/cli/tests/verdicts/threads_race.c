// expect: false(no-data-race)
// property: no-data-race
// One thread writes under a lock, the other without.
#include <pthread.h>
int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  shared = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  shared = 2;
  pthread_join(a, 0);
  return 0;
}
