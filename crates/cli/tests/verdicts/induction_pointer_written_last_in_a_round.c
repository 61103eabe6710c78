// expect: false(no-overflow) property: no-overflow also: k-induction-formulas,bmc,symbolic

// As where the pointer is in memory that the loop may change; the write is the last thing that a round does.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 0, j = 0;
  char **names = malloc(10 * sizeof(char *));
  names[i] = malloc(11);
  while (j < 10)
    names[i][j++] = 1;
  int x = __VERIFIER_nondet_int();
  x = x + 1; // violation
  return x;
}
