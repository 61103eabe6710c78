// expect: false(unreach-call) also: bmc,symbolic

// As with one loop, where each round of another one makes the object.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  char *names[3];
  for (int i = 0; i < 3; ++i) {
    names[i] = malloc(11);
    for (int j = 0; j < 10; ++j)
      names[i][j] = 1;
  }
  reach_error(); // violation
}
