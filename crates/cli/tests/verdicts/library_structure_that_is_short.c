// expect: false(valid-deref)
// property: valid-memsafety
#include <stdlib.h>
#include <time.h>

int main(void) {
    struct tm *date = calloc(1, 8);
    char text[40];
    unsigned long length = strftime(text, sizeof text, "%Y", date); // violation
    free(date);
    return length == 0;
}
