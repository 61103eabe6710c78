// expect: false(unreach-call)
// property: unreach-call
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned char bytes[16] = {0};
  if (n >= 11) return 0;
  memset(bytes, 7, n);
  if (bytes[9] == 7 && bytes[10] == 0) reach_error(); // violation
  return 0;
}
