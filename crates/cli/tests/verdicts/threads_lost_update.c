// expect: false(unreach-call)
// also: value,symbolic,bmc
// x++ is a read and a write: another thread can come between.
#include <pthread.h>
extern void reach_error(void);
int count;
void *worker(void *argument) {
  count++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (count != 2)
    reach_error(); // violation
  return 0;
}
