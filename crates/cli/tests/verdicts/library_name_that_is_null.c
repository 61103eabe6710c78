// expect: false(valid-deref)
// property: valid-memsafety
#include <pwd.h>

int main(void) {
    const char *name = 0;
    return getpwnam(name) != 0; // violation
}
