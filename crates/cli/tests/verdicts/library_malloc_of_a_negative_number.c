// expect: false(valid-deref)
// property: valid-memsafety
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int size = __VERIFIER_nondet_int();
  if (size >= 0) return 0;
  char *memory = malloc(size);
  memory[0] = 1; // violation
  free(memory);
  return 0;
}
