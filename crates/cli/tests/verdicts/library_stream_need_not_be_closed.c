// expect: true
// property: valid-memcleanup
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *file = tmpfile();
    char *memory = malloc(8);
    free(memory);
    return file == 0;
}
