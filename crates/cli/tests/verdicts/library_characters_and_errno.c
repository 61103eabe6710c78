// expect: true
#include <ctype.h>
#include <errno.h>
extern void reach_error(void);
int main(void) {
  errno = 0;
  if (!isdigit('5') || isdigit('a') || !isspace('\t') || !isalpha('z') || isalpha('[') || !isxdigit('F') || !ispunct('!') || isprint(7))
    reach_error();
  int saved = errno;
  errno = saved;
  return 0;
}
