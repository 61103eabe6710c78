// expect: false(termination) property: termination also: termination
// The same call inside itself.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int f(int x) {
    if (x <= 0)
        return 0;
    return f(x - 1) + f(x);
}
int main(void) {
    return f(__VERIFIER_nondet_int());
}
