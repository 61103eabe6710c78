// expect: false(valid-deref)
// property: valid-memsafety
#include <stdio.h>

int main(void) {
    FILE *file = fopen("/etc/hostname", "r");
    if (!file)
        return 1;
    fclose(file);
    return fclose(file); // violation
}
