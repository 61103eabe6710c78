// expect: true
// Peterson's algorithm excludes two threads from one another under sequential consistency.
#include <pthread.h>
extern void reach_error(void);
int wants[2], turn, inside;
void *first(void *argument) {
  wants[0] = 1;
  turn = 1;
  while (wants[1] && turn == 1) {
  }
  inside = 1;
  if (inside != 1) reach_error();
  wants[0] = 0;
  return 0;
}
void *second(void *argument) {
  wants[1] = 1;
  turn = 0;
  while (wants[0] && turn == 0) {
  }
  inside = 2;
  if (inside != 2) reach_error();
  wants[1] = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  return 0;
}
