// expect: true config: predicate-cartesian also: predicate-boolean
// Each predicate by itself is enough: the flag is set before it is looked at, in every round.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int ready = 1;
    while (__VERIFIER_nondet_int()) {
        if (!ready) {
            reach_error();
        }
        ready = 0;
        if (__VERIFIER_nondet_int()) {
            ready = 1;
        } else {
            ready = 2 - 1;
        }
    }
    return 0;
}
