// expect: true
// What is read from a text is determined.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  int x = 0, y = 0;
  char word[8];
  if (sscanf("5", "%d", &x) != 1 || x != 5) reach_error();
  if (sscanf("-12 abc", "%d %7s", &y, word) != 2 || y != -12 || word[2] != 'c' || word[3]) reach_error();
  if (sscanf("x", "%d", &y) != 0 || y != -12) reach_error();
  if (sscanf("", "%d", &y) != -1) reach_error();
  return 0;
}
