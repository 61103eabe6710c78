// expect: false(unreach-call) config: value-predicate also: predicate
// As long as the phase is 1 the counters do not agree.
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
            if (__VERIFIER_nondet_int()) {
                received += 3;
            }
            phase = __VERIFIER_nondet_int() ? 2 : 0;
        } else {
            if (sent != received) {
                reach_error(); // violation
            }
            phase = 0;
        }
    }
}
