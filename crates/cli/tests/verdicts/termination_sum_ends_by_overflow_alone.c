// expect: unknown property: termination also: termination time: 5s
// x grows by more and more and c falls: in numbers without an end it never ends.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000 || c < -100 || c > -1)
        return 0;
    while (x + c >= -200) {
        x = x - c;
        c = c - 1;
    }
    return 0;
}
