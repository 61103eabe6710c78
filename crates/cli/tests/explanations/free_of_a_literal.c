#include <stdlib.h>
int main(void) {
  char *s = "abc";
  free(s);
  return 0;
}
