// expect: true property: termination also: termination
// A bit less in each iteration.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x)
        x = x & (x - 1);
    return 0;
}
