// expect: false(valid-deref)
// property: valid-memsafety
#include <dirent.h>

int main(void) {
    DIR *directory = opendir("/nowhere");
    struct dirent *entry = readdir(directory); // violation
    return entry == 0;
}
