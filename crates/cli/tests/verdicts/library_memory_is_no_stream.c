// expect: false(valid-deref)
// property: valid-memsafety
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *file = calloc(1, sizeof(FILE));
    int c = file ? fgetc(file) : 0; // violation
    free(file);
    return c;
}
