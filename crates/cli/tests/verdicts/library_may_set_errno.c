// expect: unknown time: 5s
#include <errno.h>
extern void reach_error(void);
extern int system(const char *);
int main(void) {
  errno = 0;
  system("true");
  if (errno == ERANGE)
    reach_error();
  return 0;
}
