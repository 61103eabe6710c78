// expect: false(valid-deref)
// property: valid-memsafety
#include <stdio.h>

int main(void) {
    FILE *file = tmpfile();
    if (!file)
        return 1;
    fclose(file);
    fputs("late", file); // violation
    return 0;
}
