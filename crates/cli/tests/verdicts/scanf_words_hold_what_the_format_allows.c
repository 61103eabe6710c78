// expect: unknown | true
// two answers: which characters a conversion lets in is not looked at, so that no violation may choose them
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  char digits[5], word[5];
  if (scanf("%4[0-9]%4s", digits, word) == 2 && (digits[0] == 'x' || word[0] == ' ')) reach_error();
  return 0;
}
