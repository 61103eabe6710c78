// expect: true
// The character, or the sign of an error.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  int c = putchar('a');
  if (c != 'a' && c != -1) reach_error();
  c = fputc(300, stdout);
  if (c != 44 && c != -1) reach_error();
  if (puts("x") < -1) reach_error();
  return 0;
}
