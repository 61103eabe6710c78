// expect: false(valid-deref)
// property: valid-memsafety
// The header declares the address as a union of pointers.
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void) {
    struct sockaddr *address = 0;
    return bind(3, address, 16); // violation
}
