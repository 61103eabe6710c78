// expect: true property: termination also: termination
// First y falls below zero, then x.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) {
        x = x + y;
        y = y - 1;
    }
    return 0;
}
