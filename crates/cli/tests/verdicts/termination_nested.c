// expect: true property: termination also: termination
// An inner loop whose bound is the outer counter.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        for (int j = i; j > 0; j--)
            ;
    return 0;
}
