// expect: false(unreach-call)
// A file may be there, and a line of it may be any text.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
  char line[8];
  FILE *file = fopen("settings", "r");
  if (!file) return 1;
  if (fgets(line, sizeof line, file) && line[0] == 'x' && line[1] == '=' && line[2] == '7') reach_error();
  return 0;
}
