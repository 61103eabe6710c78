// expect: true config: predicate also: predicate-boolean also: pred also: bam-predicate also: value-predicate
// Only predicates show that the construct which is not supported is never come to.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
jmp_buf out;
int main(void) {
  int step = 0;
  while (__VERIFIER_nondet_int()) {
    step = step == 0 ? 2 : 0;
  }
  if (step == 1) longjmp(out, 1);
  if (step == 3) reach_error();
  return 0;
}
