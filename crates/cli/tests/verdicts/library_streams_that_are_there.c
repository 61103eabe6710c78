// expect: true
// property: valid-memsafety
#include <stdio.h>

int main(void) {
    setvbuf(stdout, 0, _IONBF, 0);
    if (stdin == stdout || !stderr)
        return *(int *)0;
    fputs("x", stdout);
    return 0;
}
