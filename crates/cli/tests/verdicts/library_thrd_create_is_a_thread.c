// expect: false(unreach-call)
// C11's threads run beside one another as well.
#include <threads.h>
extern void reach_error(void);
static int shared;
static int run(void *none) { shared = 1; return 0; }
int main(void) {
  thrd_t thread;
  thrd_create(&thread, run, 0);
  if (shared)
    reach_error(); // violation
  return 0;
}
