// expect: unknown | false(unreach-call)
// two answers: A read may be short.
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  char text[4] = {0};
  if (read(0, text, 4) == 2) reach_error();
  return 0;
}
