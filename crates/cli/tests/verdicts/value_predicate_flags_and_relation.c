// expect: true config: value-predicate also: predicate
// The phase is a value, and that both counters agree is a predicate: neither has to do the other's work.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int phase = 0;
    unsigned sent = 0, received = 0;
    while (1) {
        if (phase == 0) {
            sent += 3;
            phase = 1;
        } else if (phase == 1) {
            received += 3;
            phase = __VERIFIER_nondet_int() ? 2 : 0;
        } else {
            if (sent != received) {
                reach_error();
            }
            phase = 0;
        }
    }
}
