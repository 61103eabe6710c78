// expect: false(valid-deref)
// property: valid-memsafety
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  char from[8] = "abcdefg", to[16];
  if (n >= 11) return 0;
  memcpy(to, from, n); // violation
  return 0;
}
