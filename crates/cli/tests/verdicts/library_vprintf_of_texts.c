// expect: true property: valid-memsafety
#include <stdio.h>
#include <stdarg.h>
static void say(const char *format, ...) { va_list l; va_start(l, format); vprintf(format, l); va_end(l); }
static const char *format(void) { return "%5.2f %.2s\n"; }
int main(void) {
  char text[2] = {'a', 'b'};
  say("%s %ld\n", "xy", 3L);
  printf(format(), 2.5, text);
  return 0;
}
