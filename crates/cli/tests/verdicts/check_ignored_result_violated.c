// expect: false(no-ignored-result) property: no-ignored-result
#include <stdio.h>
int main(void) {
  char line[8] = "";
  fgets(line, 8, stdin); // violation
  (void)getchar();
  return line[0];
}
