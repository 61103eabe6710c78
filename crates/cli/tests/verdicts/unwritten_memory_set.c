// expect: true property: no-uninitialised-read
#include <string.h>
struct big { int a, b; char c[20]; };
int main(void) {
  struct big x;
  memset(&x, 0, sizeof x);
  return x.b || x.c[7];
}
