// expect: true
// Integers, characters and strings are printed as C says.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
  char to[16];
  if (snprintf(to, sizeof to, "%03d:%x|%-3c|", -5, 255u, 'q') != 11) reach_error();
  if (strcmp(to, "-05:ff|q  |")) reach_error();
  if (snprintf(to, 4, "%s", "abcdef") != 6 || strcmp(to, "abc")) reach_error();
  sprintf(to, "%lu %hhd %%", 12345678901ul, 257);
  if (strcmp(to, "12345678901 1 %")) reach_error();
  return 0;
}
