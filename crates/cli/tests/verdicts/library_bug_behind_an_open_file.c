// expect: false(valid-deref)
// property: valid-memsafety
#include <stdio.h>

int main(void) {
    FILE *file = fopen("/etc/hostname", "r");
    if (file) {
        int *nothing = 0;
        *nothing = fgetc(file); // violation
        fclose(file);
    }
    return 0;
}
