// expect: true
// Who sees the flag sees the message.
#include <pthread.h>
extern void reach_error(void);
int message, flag;
void *sender(void *argument) {
  message = 42;
  flag = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, sender, 0);
  if (flag && message != 42) reach_error();
  return 0;
}
