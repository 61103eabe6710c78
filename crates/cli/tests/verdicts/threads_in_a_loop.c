// expect: true
// Three threads from one place, each with its own argument.
#include <pthread.h>
extern void reach_error(void);
int sum;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  sum += (int)(long)argument;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, worker, (void *)(long)(i + 1));
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  if (sum != 6) reach_error();
  return 0;
}
