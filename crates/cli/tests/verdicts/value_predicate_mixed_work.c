// expect: true config: value-predicate set: patience=300 also: predicate
// Values and predicates refute about as many paths each: exploration with both loses its patience after a third of the
// states, and predicates alone prove it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int phase = 10, ready = 0, open = 0;
    unsigned sent = 0, received = 0, limit = __VERIFIER_nondet_int();
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (phase == 10) {
            ready = input > 3 ? 1 : 2;
            phase = 20;
        } else if (phase == 20) {
            if (ready == 1 && sent < limit) {
                sent++;
                phase = 30;
            } else {
                phase = 40;
            }
        } else if (phase == 30) {
            if (ready != 1 || sent > limit) {
                reach_error();
            }
            received++;
            open = 5;
            phase = 20;
        } else if (phase == 40) {
            if (sent != received) {
                reach_error();
            }
            phase = open == 5 ? 50 : 10;
        } else {
            if (open != 5 || phase != 50) {
                reach_error();
            }
            open = 7;
            phase = 10;
        }
    }
}
