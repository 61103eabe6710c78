// expect: false(unreach-call) config: predicate also: predicate-boolean
// The machine must go round before the error can be reached.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int state = 0, seen = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (state == 0 && input == 7) {
            state = 1;
        } else if (state == 1 && input > 100) {
            state = 2;
            seen++;
        } else if (state == 2) {
            if (seen == 2) {
                reach_error(); // violation
            }
            state = 0;
        }
    }
}
