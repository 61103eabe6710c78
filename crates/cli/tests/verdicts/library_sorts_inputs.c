// expect: false(unreach-call)
// Sorted inputs: the middle one is what the program asks for.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int up(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b; }
int main(void) {
  int a[3] = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
  int first = a[0];
  qsort(a, 3, sizeof *a, up);
  if (a[1] == 5 && a[2] == first && a[0] < a[1] && a[1] < a[2]) reach_error();
  return 0;
}
