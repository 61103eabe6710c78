// expect: true property: termination also: termination
// Which of them shrinks depends on a flag that changes once.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), up = 1;
    while (x > 0) {
        if (up && x < 100)
            x++;
        else {
            up = 0;
            x--;
        }
    }
    return 0;
}
