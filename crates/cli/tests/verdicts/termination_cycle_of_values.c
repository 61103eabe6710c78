// expect: false(termination) property: termination also: termination
// A cycle that only some inputs come to.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int i = __VERIFIER_nondet_int();
    while (i > 10) {
        if (i == 25)
            i = 30;
        if (i <= 30)
            i = i - 1;
        else
            i = 20;
    }
    return 0;
}
