// expect: true
// A status that is not zero ends the program.
#include <error.h>
#include <err.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int()) { error(1, 0, "no"); reach_error(); }
  if (__VERIFIER_nondet_int()) { errx(0, "no"); reach_error(); }
  return 0;
}
