// expect: true
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf env;
static void deep(int n) { if (n == 0) longjmp(env, 7); deep(n - 1); reach_error(); }
int main(void) {
  volatile int before = 1;
  int x = __VERIFIER_nondet_int();
  int r = setjmp(env);
  if (r == 0) {
    before = 2;
    deep(x == 3 ? 3 : 2);
    reach_error();
  }
  if (r != 7 || before != 2) reach_error();
  return 0;
}
