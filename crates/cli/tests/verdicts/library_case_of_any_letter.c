// expect: true
// `toupper`, `tolower` and the classes of characters, for every one.
#include <ctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int c = __VERIFIER_nondet_int();
  if (c < 0 || c > 127) return 0;
  if (islower(c) && toupper(c) != c - 32) reach_error();
  if (!islower(c) && toupper(c) != c) reach_error();
  if (isupper(c) && tolower(c) != c + 32) reach_error();
  if (isalnum(c) && !(isalpha(c) || isdigit(c))) reach_error();
  if (isdigit(c) && (c < '0' || c > '9')) reach_error();
  if (isxdigit(c) && !isalnum(c)) reach_error();
  if (isspace(c) && isgraph(c)) reach_error();
  if (ispunct(c) && isalnum(c)) reach_error();
  if (isprint(c) != 0 && iscntrl(c) != 0) reach_error();
  return 0;
}
