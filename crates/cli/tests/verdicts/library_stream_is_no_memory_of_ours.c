// expect: false(valid-free)
// property: valid-memsafety
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *file = tmpfile();
    free(file); // violation
    return 0;
}
