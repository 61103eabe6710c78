// expect: true property: no-ignored-result
#include <stdio.h>
int main(void) {
  char line[8] = "";
  char *got = fgets(line, 8, stdin);
  (void)getchar();
  return line[0];
}
