// expect: true property: valid-memsafety

// The text is shorter than the buffer, whatever the bound says.
#include <stdio.h>

int main(void) {
    char buffer[10];
    snprintf(buffer, 100, "x%d", 5);
    return 0;
}
