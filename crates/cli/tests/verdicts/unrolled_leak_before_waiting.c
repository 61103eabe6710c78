// expect: false(valid-memtrack) | unknown property: valid-memsafety config: bmc
// two answers: a loss before a program waits for ever need not be found, but must not be proved absent

// Waiting changes nothing, but what was lost before is lost.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = malloc(4);
    int there = p != 0;
    p = 0;
    while (there)
        __VERIFIER_nondet_int();
    free(p);
    return 0;
}
