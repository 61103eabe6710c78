// expect: true
// property: valid-memsafety
#include <dirent.h>

int main(void) {
    int count = 0;
    DIR *directory = opendir(".");
    if (!directory)
        return 1;
    struct dirent *entry = readdir(directory);
    if (entry)
        count += entry->d_name[0] == '.';
    closedir(directory);
    return count;
}
