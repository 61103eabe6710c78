// expect: true
// A condition variable with a loop around the wait, as it must be.
#include <pthread.h>
extern void reach_error(void);
int ready, value;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
void *producer(void *argument) {
  pthread_mutex_lock(&lock);
  value = 7;
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, producer, 0);
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  if (value != 7) reach_error();
  pthread_mutex_unlock(&lock);
  return 0;
}
