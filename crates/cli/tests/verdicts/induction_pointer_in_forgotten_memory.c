// expect: false(no-overflow) property: no-overflow also: k-induction-formulas,bmc,symbolic

// The loop may change the pointer that it writes through, as far as induction knows: that each round leads elsewhere is nothing undefined.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 0;
  char **names = malloc(10 * sizeof(char *));
  names[i] = malloc(11);
  for (int j = 0; j < 10; ++j)
    names[i][j] = 1;
  int x = __VERIFIER_nondet_int();
  x = x + 1; // violation
  return x;
}
