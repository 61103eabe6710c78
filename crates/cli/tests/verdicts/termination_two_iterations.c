// expect: true property: termination also: termination
// What shrinks does so every second time.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) {
        int t = x;
        x = y;
        y = t - 1;
    }
    return 0;
}
