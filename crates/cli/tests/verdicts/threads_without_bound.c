// expect: unknown
// Threads without end: what is followed is bounded, so that nothing is proved. (With three of them there is an error.)
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int inside;
void *worker(void *argument) {
  __VERIFIER_atomic_begin();
  inside++;
  int many = inside == 30;
  __VERIFIER_atomic_end();
  if (many) reach_error();
  while (1) {
  }
  return 0;
}
int main(void) {
  pthread_t a;
  while (1) pthread_create(&a, 0, worker, 0);
}
