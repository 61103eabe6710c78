// expect: true
// What a thread returns comes out of pthread_join, and the argument arrives.
#include <pthread.h>
extern void reach_error(void);
void *worker(void *argument) {
  int *number = argument;
  *number += 1;
  return number;
}
int main(void) {
  pthread_t a;
  int number = 4;
  void *result;
  pthread_create(&a, 0, worker, &number);
  pthread_join(a, &result);
  if (result != &number || number != 5) reach_error();
  return 0;
}
