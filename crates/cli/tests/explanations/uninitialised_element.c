#include <stdio.h>

int main(void) {
  int squares[4];
  for (int i = 1; i < 4; i++)
    squares[i] = i * i;
  printf("%d\n", squares[0]);
  return 0;
}
