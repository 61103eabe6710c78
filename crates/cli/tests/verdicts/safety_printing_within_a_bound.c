// expect: unknown property: valid-memsafety

// The text is shorter than the buffer, whatever the bound says; it is not computed, so nothing can be said.
#include <stdio.h>

int main(void) {
    char buffer[10];
    snprintf(buffer, 100, "x%d", 5);
    return 0;
}
