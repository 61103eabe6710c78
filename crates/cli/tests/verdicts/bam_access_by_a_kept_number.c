// expect: unknown | false(valid-deref) property: valid-memsafety config: bam-symbolic also: bam-value,symbolic
// two answers: the number may be the address of the new object
#include <stdint.h>
uintptr_t kept;
void keep(int *p) { kept = (uintptr_t)p ^ 64; }
int first(void) {
  int x = 1;
  keep(&x);
  return x;
}
int main(void) {
  first();
  int y[1];
  y[0] = 2;
  int *r = (int *)(kept ^ 64);
  *r = 5; // violation
  return y[0];
}
