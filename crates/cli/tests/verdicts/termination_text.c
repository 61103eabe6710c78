// expect: true property: termination also: termination
// Accesses stay in the object.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        return 0;
    char *text = malloc(n);
    text[n - 1] = 0;
    char *p = text;
    while (*p)
        p++;
    return 0;
}
