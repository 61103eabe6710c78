// expect: true
// property: valid-memsafety
#include <time.h>

int main(void) {
    struct tm date = {0};
    char text[16];
    text[strftime(text, sizeof text, "%c", &date)] = 0;
    return 0;
}
