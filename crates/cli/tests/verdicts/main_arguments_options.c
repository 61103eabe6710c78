// expect: false(unreach-call)
// The library takes the arguments apart.
#include <unistd.h>
extern void reach_error(void);
int main(int argc, char **argv) {
  int c;
  while ((c = getopt(argc, argv, "ab")) != -1)
    if (c == 'b') reach_error(); // violation
  return 0;
}
