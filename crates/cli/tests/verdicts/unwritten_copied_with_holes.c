// expect: true property: no-uninitialised-read
#include <string.h>
struct holes { char c; int i; };
int main(void) {
  struct holes a, b;
  a.c = 1;
  a.i = 2;
  memcpy(&b, &a, sizeof a);
  return b.c == 1 && b.i == 2;
}
