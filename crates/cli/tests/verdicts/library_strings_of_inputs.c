// expect: false(unreach-call)
// A text in which two searches meet.
#include <string.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char s[5];
  for (int i = 0; i < 4; i++) s[i] = __VERIFIER_nondet_char();
  s[4] = 0;
  char *colon = strchr(s, ':'), *last = strrchr(s, ':');
  if (colon && last - colon == 2 && strspn(s, "k") == 1) reach_error();
  return 0;
}
