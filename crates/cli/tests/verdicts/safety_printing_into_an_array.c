// expect: true property: valid-memsafety

#include <stdio.h>

int main(void) {
    char buffer[10], *place = buffer;
    snprintf(buffer, sizeof buffer, "x%d", 5);
    snprintf(place + 2, 8, "x%d", 5);
    snprintf(0, 0, "x%d", 5);
    return 0;
}
