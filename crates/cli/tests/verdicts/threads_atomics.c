// expect: true
// Atomic operations of the compiler are one step.
#include <pthread.h>
extern void reach_error(void);
int count;
void *worker(void *argument) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (__atomic_load_n(&count, __ATOMIC_SEQ_CST) != 2) reach_error();
  return 0;
}
