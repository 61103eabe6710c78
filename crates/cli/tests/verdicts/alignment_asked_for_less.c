// expect: unknown
// GNU's attribute may ask for less than the type of a variable does.
#include <stdint.h>
extern void reach_error(void);
static int low __attribute__((aligned(1)));
int main(void) {
  if (((uintptr_t)&low & 3) != 0) reach_error();
  return low;
}
