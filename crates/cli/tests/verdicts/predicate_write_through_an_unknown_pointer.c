// expect: false(unreach-call) config: predicate
// The pointer changes in the loop, so that a write through it may change the state of the machine.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct machine { int a; int b; int c; int d; int state; int e; };

int main(void) {
  struct machine one, two;
  struct machine *p = &one;
  one.state = 1;
  two.state = 1;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int())
      p = &two;
    else
      p = &one;
    if (two.state == 7)
      reach_error(); // here
    p->state = 7;
  }
  return 0;
}
