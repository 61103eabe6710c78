// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);

#include <assert.h>
int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x != 12345); // violation
  return 0;
}
