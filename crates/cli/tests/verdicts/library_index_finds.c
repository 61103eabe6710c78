// expect: true
// The place of a character is determined.
#define _GNU_SOURCE
#include <strings.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  char text[] = "abcb";
  if (index(text, 'b') != text + 1 || rindex(text, 'b') != text + 3 || index(text, 'x')) reach_error();
  return 0;
}
