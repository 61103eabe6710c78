// expect: unknown property: unreach-call also: value,symbolic,bmc,k-induction-formulas,k-induction-paths,predicate
// The same for arrays whose length an input says.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *volatile shown;
int main(void) {
  uintptr_t before = 0;
  int n = 4 + (__VERIFIER_nondet_int() & 3);
  {
    int v[n];
    v[0] = 1;
    shown = v;
    before = (uintptr_t)shown;
  }
  {
    int w[n];
    w[0] = 1;
    shown = w;
    if (before == (uintptr_t)shown)
      reach_error(); // may be reached
  }
  return 0;
}
