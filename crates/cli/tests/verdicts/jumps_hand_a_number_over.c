// expect: false(unreach-call)
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf env;
static void leave(int x) { longjmp(env, x); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  switch (setjmp(env)) {
    case 0: leave(x); break;
    case 1: if (x == 0) reach_error(); // violation
    default: break;
  }
  return 0;
}
