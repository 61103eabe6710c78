// expect: false(valid-deref)
// property: valid-memsafety
#include <semaphore.h>
#include <stdlib.h>

int main(void) {
    sem_t *semaphore = malloc(sizeof(sem_t));
    if (!semaphore)
        return 1;
    sem_init(semaphore, 0, 1);
    free(semaphore);
    return sem_trywait(semaphore); // violation
}
