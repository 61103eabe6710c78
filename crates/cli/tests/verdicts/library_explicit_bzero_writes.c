// expect: false(unreach-call)
// It writes, as bzero does.
#define _GNU_SOURCE
#include <string.h>
extern void reach_error(void);
int main(void) {
  int secret = 7;
  explicit_bzero(&secret, sizeof secret);
  if (secret == 0) reach_error(); // violation
  return 0;
}
