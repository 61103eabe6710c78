// expect: unknown
// property: valid-memsafety
#include <time.h>

int main(void) {
    time_t start = 0;
    struct tm date;
    int *nothing = 0;
    if (!gmtime_r(&start, &date))
        return 1;
    if (date.tm_year != 70)
        *nothing = 1;
    return 0;
}
