// expect: true property: termination also: termination
// The distance to a bound that does not change.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        ;
    return 0;
}
