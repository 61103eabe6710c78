// expect: true property: termination also: termination
// The parameter shrinks, and has a bound.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int f(int n) {
    if (n < 2)
        return n;
    return f(n - 1) + f(n - 2);
}
int main(void) {
    return f(__VERIFIER_nondet_int());
}
