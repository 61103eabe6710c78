// expect: true
// property: unreach-call
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
  unsigned char bytes[16];
  memset(bytes, 1, sizeof bytes);
  if (n >= 11 || i >= 16) return 0;
  memset(bytes, 7, n);
  if (bytes[i] != (i < n ? 7 : 1)) reach_error();
  return 0;
}
