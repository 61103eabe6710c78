// expect: true
// Each thread has a variable of its own.
#include <pthread.h>
extern void reach_error(void);
__thread int own = 1;
void *worker(void *argument) {
  own++;
  if (own != 2) reach_error();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  own += 5;
  if (own != 6) reach_error();
  return 0;
}
