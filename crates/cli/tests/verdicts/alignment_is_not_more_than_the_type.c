// expect: unknown
// More than its type demands is known of no object.
#include <stdint.h>
extern void reach_error(void);
int main(void) {
  int x = 0;
  if (((uintptr_t)&x & 7) != 0) reach_error();
  return x;
}
