// expect: true

// Codes of errors are pointers into the last page, where no object is.
#include <stdlib.h>
extern void reach_error(void);

static int is_error(const void *pointer) {
    return (unsigned long)pointer > (unsigned long)-4096;
}

int main(void) {
    int local;
    char *memory = malloc(10);
    if (is_error(memory) || is_error(&local) || is_error(memory + 10))
        reach_error();
    if (!is_error((void *)-12L))
        reach_error();
    return 0;
}
