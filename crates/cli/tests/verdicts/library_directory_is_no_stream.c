// expect: false(valid-deref)
// property: valid-memsafety
#include <dirent.h>
#include <stdio.h>

int main(void) {
    DIR *directory = opendir(".");
    if (!directory)
        return 1;
    return fclose((FILE *)directory); // violation
}
