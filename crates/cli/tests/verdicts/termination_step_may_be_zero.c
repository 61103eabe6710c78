// expect: false(termination) property: termination also: termination
// Without a step nothing changes.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y < 0)
        return 0;
    while (x > 0)
        x = x - y;
    return 0;
}
