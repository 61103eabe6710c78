// expect: true property: termination also: termination
// The second part starts anew whenever the first one shrinks.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    while (x > 0 && y > 0) {
        if (__VERIFIER_nondet_int()) {
            x--;
            y = n;
        } else {
            y--;
        }
    }
    return 0;
}
