// expect: unknown
// A packed structure, characters and a text may lie anywhere.
#include <stdint.h>
extern void reach_error(void);
struct __attribute__((packed)) P { char c; int i; };
static struct P p;
static int low __attribute__((aligned(1)));
int main(void) {
  char c[4] = {0};
  if (((uintptr_t)&p.i & 1) != 1 || ((uintptr_t)c & 3) != 0 || (uintptr_t)"text" % 4) reach_error();
  return low + c[0];
}
