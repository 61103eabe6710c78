// expect: unknown property: termination also: termination time: 5s
// A negative number becomes a depth that no stack has.
extern int __VERIFIER_nondet_int(void);
int f(unsigned n) {
    if (n == 0)
        return 0;
    return f(n - 1) + 1;
}
int main(void) {
    return f(__VERIFIER_nondet_int());
}
