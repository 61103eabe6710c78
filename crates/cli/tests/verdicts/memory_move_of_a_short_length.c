// expect: true
// property: unreach-call
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  char text[12] = "abcdefghijk";
  if (n == 0 || n >= 11) return 0;
  memmove(text + 1, text, n);
  if (text[0] != 'a' || text[n] != 'a' + (int)n - 1 || n < 10 && text[n + 1] != 'a' + (int)n + 1) reach_error();
  return 0;
}
