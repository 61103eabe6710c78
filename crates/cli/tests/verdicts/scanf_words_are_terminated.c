// expect: true property: valid-memsafety
// A word of bounded length has its terminator within the bound.
#include <stdio.h>
#include <string.h>
int main(void) {
  char word[5];
  if (scanf("%4s", word) == 1) return (int)strlen(word);
  return 0;
}
