// expect: false(unreach-call) property: assert
// A function with a body is the program's own, whatever its name.
#include <assert.h>
void assume(int x) { (void)x; }
int klee_range(int low, int high, const char *name) { (void)low; (void)name; return high; }
int main(void) {
  int x = klee_range(1, 2, "x");
  assume(x < 2);
  assert(x < 2); // violation
  return 0;
}
