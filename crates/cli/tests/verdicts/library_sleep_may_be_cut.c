// expect: false(unreach-call)
// property: unreach-call
#include <unistd.h>

extern void reach_error(void);

int main(void) {
    if (sleep(42) == 42)
        reach_error(); // violation
    return 0;
}
