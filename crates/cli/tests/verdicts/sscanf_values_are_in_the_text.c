// expect: unknown | true
// two answers: the text says which number is found, though it is not computed
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  float f = 1;
  if (sscanf("2.5", "%f", &f) != 1 || f != 2.5f) reach_error();
  return 0;
}
