// expect: true config: predicate also: predicate-boolean
// Which state the machine was in before decides what is set now; many paths meet in each round.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int state = 1, opened = 0, noise = 0;
    while (1) {
        if (__VERIFIER_nondet_int()) {
            noise = noise + 3;
        } else {
            noise = noise - 1;
        }
        if (state == 1) {
            opened = 1;
            state = 2;
        } else if (state == 2) {
            if (!opened) {
                reach_error();
            }
            if (__VERIFIER_nondet_int()) {
                opened = 0;
                state = 3;
            }
        } else if (state == 3) {
            if (opened) {
                reach_error();
            }
            state = 1;
        }
    }
}
