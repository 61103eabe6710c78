// expect: true
// also: value,symbolic
// Two threads count under a lock: nothing is lost.
#include <pthread.h>
extern void reach_error(void);
int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (count != 2) reach_error();
  return 0;
}
