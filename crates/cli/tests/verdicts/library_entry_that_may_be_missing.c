// expect: false(valid-deref)
// property: valid-memsafety
#include <dirent.h>

int main(void) {
    DIR *directory = opendir(".");
    if (!directory)
        return 1;
    char first = readdir(directory)->d_name[0]; // violation
    closedir(directory);
    return first;
}
