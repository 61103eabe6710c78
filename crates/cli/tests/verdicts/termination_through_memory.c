// expect: true property: termination also: termination
// What shrinks is in memory.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long);
int main(void) {
    int *x = malloc(sizeof(int));
    *x = __VERIFIER_nondet_int();
    while (*x > 0)
        *x = *x - 1;
    return 0;
}
