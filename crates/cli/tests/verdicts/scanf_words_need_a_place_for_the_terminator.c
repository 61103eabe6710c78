// expect: false(valid-deref) property: valid-memsafety
#include <stdio.h>
int main(void) {
  char word[5];
  if (scanf("%5s", word) == 1) return word[0]; // violation
  return 0;
}
