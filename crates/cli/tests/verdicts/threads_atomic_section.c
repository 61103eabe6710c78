// expect: true
// Nothing comes between what stands in an atomic section.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y;
void __VERIFIER_atomic_move(void) {
  x = 1;
  x = 0;
  y = 1;
}
void *worker(void *argument) {
  __VERIFIER_atomic_move();
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  __VERIFIER_atomic_begin();
  int bad = x == 1;
  __VERIFIER_atomic_end();
  if (bad) reach_error();
  return 0;
}
