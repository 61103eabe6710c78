// expect: true
// Numbers of the largest type, and the place behind them.
#include <inttypes.h>
extern void reach_error(void);
int main(void) {
  char *end;
  if (strtoimax("-0x1fz", &end, 0) != -31 || *end != 'z') reach_error();
  if (strtoumax("18446744073709551616", &end, 10) != UINTMAX_MAX || *end) reach_error();
  if (imaxabs(-5) != 5 || imaxdiv(7, -2).quot != -3 || imaxdiv(7, -2).rem != 1) reach_error();
  return 0;
}
