// expect: true
// `strto*` and `ato*`: bases, signs, where the number ends, and what does not fit.
#include <limits.h>
#include <stdlib.h>
extern void reach_error(void);
static const char *text;
static char *end;
#define CHECK(call, value, rest) \
  if ((call) != (value) || end - text != (rest)) reach_error();
int main(void) {
  text = " -42abc";
  CHECK(strtol(text, &end, 10), -42, 4)
  CHECK(strtoul(text, &end, 10), -42UL, 4)
  text = "0x1fg";
  CHECK(strtol(text, &end, 0), 31, 4)
  CHECK(strtol(text, &end, 16), 31, 4)
  CHECK(strtol(text, &end, 10), 0, 1)
  text = "0778";
  CHECK(strtoul(text, &end, 0), 077, 3)
  CHECK(strtoull(text, &end, 8), 63, 3)
  text = "99999999999999999999";
  CHECK(strtol(text, &end, 10), LONG_MAX, 20)
  CHECK(strtoul(text, &end, 10), ULONG_MAX, 20)
  CHECK(strtoull(text, &end, 10), ULLONG_MAX, 20)
  text = "-99999999999999999999";
  CHECK(strtoll(text, &end, 10), LLONG_MIN, 21)
  text = "none";
  CHECK(strtol(text, &end, 10), 0, 0)
  CHECK(strtol(text, &end, 36), ((23L * 36 + 24) * 36 + 23) * 36 + 14, 4)
  text = "2.5e1x";
  CHECK(strtod(text, &end), 25.0, 5)
  CHECK(strtof(text, &end), 25.0f, 5)
  if (atoi("  12x") != 12 || atol("-7") != -7 || atoll("+8000000000") != 8000000000LL || atof("0.25") != 0.25) reach_error();
  if (atoi("") || atoi("x1") || atol("- 1")) reach_error();
  return 0;
}
