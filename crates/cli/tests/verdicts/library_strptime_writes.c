// expect: unknown | false(unreach-call)
// two answers: What is read from the text is stored.
#define _XOPEN_SOURCE 700
#include <time.h>
extern void reach_error(void);
int main(void) {
  struct tm when = {0};
  strptime("2026", "%Y", &when);
  if (when.tm_year == 126) reach_error();
  return 0;
}
