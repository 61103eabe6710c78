// expect: true property: valid-memsafety
// What is read lies inside.
#include <unistd.h>
#include <stdio.h>
int main(void) {
  char text[3] = {1, 2, 3};
  write(1, text + 1, 2);
  fwrite(text, 1, 3, stdout);
  write(1, text + 3, 0);
  return 0;
}
