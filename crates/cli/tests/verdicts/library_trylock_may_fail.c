// expect: false(unreach-call)
// Somebody else may have the lock.
#include <pthread.h>
extern void reach_error(void);
int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  if (pthread_mutex_trylock(&mutex)) reach_error(); // violation
  return 0;
}
