// expect: false(unreach-call)
// Each looks before it says that it wants to go in: both can be in.
#include <pthread.h>
extern void reach_error(void);
int a_wants, b_wants, inside;
void *first(void *argument) {
  while (b_wants) {
  }
  a_wants = 1;
  inside = 1;
  if (inside != 1)
    reach_error(); // violation
  a_wants = 0;
  return 0;
}
void *second(void *argument) {
  while (a_wants) {
  }
  b_wants = 1;
  inside = 2;
  b_wants = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  return 0;
}
