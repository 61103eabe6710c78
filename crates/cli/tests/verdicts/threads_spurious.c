// expect: false(unreach-call)
// A thread that waits may wake up without a signal.
#include <pthread.h>
extern void reach_error(void);
int ready;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
void *producer(void *argument) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, producer, 0);
  pthread_mutex_lock(&lock);
  if (!ready) pthread_cond_wait(&changed, &lock);
  if (!ready)
    reach_error(); // violation
  pthread_mutex_unlock(&lock);
  return 0;
}
