// expect: unknown | false(unreach-call) config: bam-symbolic also: bam-symbolic-cegar,bam-value,symbolic,auto
// two answers: the new object may lie where the old one was, which no replay can show
#include <stdint.h>
extern void reach_error(void);
uintptr_t kept;
void keep(int *p) { kept = (uintptr_t)p ^ 64; }
int first(void) {
  int x = 1;
  keep(&x);
  return 1;
}
int main(void) {
  first();
  int y[1];
  y[0] = 2;
  if ((uintptr_t)y != (kept ^ 64)) reach_error(); // violation
  return 0;
}
