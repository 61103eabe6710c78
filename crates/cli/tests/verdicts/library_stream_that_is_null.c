// expect: false(valid-deref)
// property: valid-memsafety
#include <stdio.h>

int main(void) {
    FILE *file = fopen("/etc/hostname", "r");
    int c = fgetc(file); // violation
    return c == 'x';
}
