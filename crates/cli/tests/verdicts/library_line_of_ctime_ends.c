// expect: true
// property: unreach-call
#include <time.h>

extern void reach_error(void);

int main(void) {
    time_t now = time(0);
    char *line = ctime(&now);
    if (line[24] != '\n' || line[25] != 0)
        reach_error();
    return 0;
}
