// expect: false(termination) property: termination also: termination
// The inner loop undoes what the outer one does.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int i = 3;
    while (i > 0) {
        i--;
        while (i < 3)
            i++;
    }
    return 0;
}
