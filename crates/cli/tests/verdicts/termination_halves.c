// expect: true property: termination also: termination
// Division brings it nearer to zero from both sides.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x != 0)
        x = x / 2;
    return 0;
}
