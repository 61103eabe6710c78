// expect: false(unreach-call) config: predicate also: predicate-boolean
// The fifth round goes wrong, and not each of the four before it is refuted first.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int level = 0, round = 0;
    while (1) {
        if (__VERIFIER_nondet_int()) {
            level++;
        } else if (level > 0 && __VERIFIER_nondet_int()) {
            level--;
        }
        round++;
        if (level >= 5) {
            reach_error();
        }
        if (round > 8) {
            return 0;
        }
    }
}
