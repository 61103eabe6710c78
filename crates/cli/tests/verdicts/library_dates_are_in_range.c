// expect: true
// property: valid-memsafety
#include <time.h>

static const char *months[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

int main(void) {
    time_t now = time(0);
    struct tm *date = localtime(&now);
    struct timespec precise;
    char digits[10] = "012345678";
    char first = months[date->tm_mon][0];
    if (clock_gettime(CLOCK_REALTIME, &precise) == 0)
        first = digits[precise.tv_nsec / 100000000];
    return first;
}
