// expect: true model: ILP32
// Where pointers have 32 bits less is promised, but enough for words.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
static long g[3];
int main(void) {
  int x = 0;
  if (((uintptr_t)&x & 3) != 0 || (uintptr_t)&g[2] % 4 != 0) reach_error();
  char *p = malloc(5);
  if ((uintptr_t)p % 8 != 0) reach_error();
  free(p);
  return 0;
}
