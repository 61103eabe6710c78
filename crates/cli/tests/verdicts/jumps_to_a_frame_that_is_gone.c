// expect: unknown
// Such a jump is undefined, which nobody says yet.
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf env;
static int place(void) { int r = setjmp(env); if (r) reach_error(); return r; }
int main(void) {
  place();
  longjmp(env, 1);
}
