// expect: true also: symbolic,bmc,k-induction-formulas,value
// Objects lie where their types demand it, and malloc gives addresses for all types.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int g[3];
_Alignas(32) static char wide[40];
struct S { char c; double d; };
int main(void) {
  int x = 0;
  long long y = 0;
  struct S s = {0};
  if (((uintptr_t)&x & 3) != 0) reach_error();
  if ((uintptr_t)&y % 8 != 0) reach_error();
  if ((uintptr_t)&g[1] % 4 != 0) reach_error();
  if (((uintptr_t)wide & 31) != 0) reach_error();
  if ((uintptr_t)&s.d % 8 != 0) reach_error();
  char *p = malloc(5);
  if ((uintptr_t)p % 16 != 0) reach_error();
  if (((uintptr_t)(p + 3) & 15) != 3) reach_error();
  if ((intptr_t)p % 16) reach_error();
  p = realloc(p, 50);
  if ((uintptr_t)p & 7) reach_error();
  free(p);
  return 0;
}
