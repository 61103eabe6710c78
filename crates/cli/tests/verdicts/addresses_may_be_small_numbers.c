// expect: unknown | false(unreach-call)
// two answers: where an object lies is not known, and whether a violation depends on it is for the replay

// There are models of kernels in which pointers above a small number are errors, and those that malloc gives are not.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    char *memory = malloc(10);
    if ((unsigned long)memory <= 2012)
        reach_error();
    return 0;
}
