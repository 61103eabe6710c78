// expect: unknown
// The bits of a NaN that an operation made are open, by a union, a copy of a structure and memory without a type.
#include <string.h>
#include <stdlib.h>
extern void reach_error(void);
struct S { int i; float f[2]; };
int main(void) {
  volatile float zero = 0;
  struct S s = {0};
  s.f[1] = zero / zero;
  unsigned bits[3];
  memcpy(bits, &s, sizeof bits);
  if (bits[2] == 0x7fc00000u) reach_error();
  return 0;
}
