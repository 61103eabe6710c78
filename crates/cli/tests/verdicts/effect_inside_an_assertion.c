// expect: true
// The macro of glibc has `sizeof` of the condition in it, which is not evaluated.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int lowest(int x) { return x & 7; }

int main(void) {
  assert(lowest(__VERIFIER_nondet_int()) != 9);
  return 0;
}
