/* Any function of the library may set errno, so it is any number whenever a program looks at it. */
static int __assay_errno;
int *__errno_location(void) { __assay_errno = __assay_any_int(); return &__assay_errno; }
