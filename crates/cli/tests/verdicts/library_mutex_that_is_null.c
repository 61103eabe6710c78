// expect: false(valid-deref)
// property: valid-memsafety
#include <threads.h>

int main(void) {
    mtx_t *lock = 0;
    return mtx_init(lock, mtx_plain); // violation
}
