// expect: false(valid-deref) property: valid-memsafety
#include <setjmp.h>
static jmp_buf env;
int main(void) {
  int *volatile p = 0;
  if (!setjmp(env)) {
    int inner = 3;
    p = &inner;
    longjmp(env, 1);
  }
  return *p; // violation
}
