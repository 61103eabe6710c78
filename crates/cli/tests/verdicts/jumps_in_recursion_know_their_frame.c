// expect: true
#include <setjmp.h>
extern void reach_error(void);
static int count(int n) {
  jmp_buf mine;
  volatile int own = n;
  int r = setjmp(mine);
  if (r) return own + r;
  if (n > 0) own += count(n - 1);
  longjmp(mine, own + 1);
}
int main(void) {
  if (count(0) != 1 || count(1) != 5) reach_error();
  return 0;
}
