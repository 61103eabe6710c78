// expect: true
// property: no-data-race
// Neighbours in a structure are different bytes.
#include <pthread.h>
struct pair {
  int left, right;
} pair;
void *worker(void *argument) {
  struct pair *p = argument;
  p->left = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, &pair);
  pair.right = 2;
  return 0;
}
