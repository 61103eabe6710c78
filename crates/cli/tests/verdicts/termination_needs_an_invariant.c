// expect: true property: termination also: termination
// The step is positive in every iteration, because it was at the entry.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y < 1)
        return 0;
    while (x > 0)
        x = x - y;
    return 0;
}
