// expect: false(unreach-call) property: assert
#include <assert.h>
int main(void) {
  int x, y = klee_range(2, 5, "y");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x > 4);
  klee_prefer_cex(&x, x == 5);
  assert(x >= 5 && y >= 2 && y < 5);
  if (x == 1000 && y == 4) klee_report_error(__FILE__, __LINE__, "reached", "err"); // violation
  return 0;
}
