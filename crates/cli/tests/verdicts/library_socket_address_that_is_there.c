// expect: true
// property: valid-memsafety
#define _GNU_SOURCE
#include <sys/socket.h>

int main(void) {
    struct sockaddr address;
    socklen_t length = sizeof address;
    int descriptor = accept(3, &address, &length);
    return accept(descriptor, 0, 0);
}
