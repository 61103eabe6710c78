// expect: true
// Quotient and remainder of the four functions, whose signs follow the dividend, for numbers that are not known.
#include <inttypes.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  div_t d = div(-17, 5);
  if (d.quot != -3 || d.rem != -2) reach_error();
  ldiv_t l = ldiv(17L, -5L);
  if (l.quot != -3 || l.rem != 2) reach_error();
  lldiv_t ll = lldiv(-9000000000LL, 4000000000LL);
  if (ll.quot != -2 || ll.rem != -1000000000LL) reach_error();
  imaxdiv_t m = imaxdiv(7, 7);
  if (m.quot != 1 || m.rem) reach_error();
  int x = __VERIFIER_nondet_int();
  if (x > -100 && x < 100) {
    div_t any = div(x, 8);
    if (any.quot * 8 + any.rem != x || any.rem > 7 || any.rem < -7 || (x >= 0 && any.rem < 0)) reach_error();
  }
  return 0;
}
