// expect: false(valid-deref) property: valid-memsafety
#include <stdio.h>
#include <stdarg.h>
static void say(const char *format, ...) { va_list l; va_start(l, format); vprintf(format, l); va_end(l); }
int main(void) {
  char text[3] = {'a', 'b', 'c'};
  say("%d %s\n", 3, text);
  return 0;
}
