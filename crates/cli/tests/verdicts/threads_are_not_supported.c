// expect: unknown
extern void reach_error(void);

#include <pthread.h>
int shared;
void *worker(void *argument) {
  shared = 1;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  pthread_join(id, 0);
  if (shared)
    reach_error();
  return 0;
}
