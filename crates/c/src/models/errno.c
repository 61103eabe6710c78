/* A variable as any other; calls of functions that may set it are followed by any error number (lower/given.rs). */
static int __assay_errno;
int *__errno_location(void) { return &__assay_errno; }
