// expect: unknown
// property: no-data-race
// Somebody outside may call the function in another thread.
#include <pthread.h>
extern void hand_over(void (*callback)(void));
int shared;
void callback(void) { shared = 1; }
void *worker(void *argument) { return argument; }
int main(void) {
  pthread_t a;
  hand_over(callback);
  pthread_create(&a, 0, worker, 0);
  shared = 2;
  return 0;
}
