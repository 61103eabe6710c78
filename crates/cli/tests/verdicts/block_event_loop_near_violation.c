// expect: false(unreach-call) config: bam-value set: order=bfs also: bam-symbolic,bam-value-cegar,bam-symbolic-cegar,value
// A violation a few rounds away in a loop that never comes back to a state: depth-first search alone does not end.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

unsigned seen = 7;
int mode = 0;

int handle(int input) {
    if (input == 1) {
        seen = seen * 5 + 3;
        return 1;
    }
    if (input == 2 && mode == 0) {
        mode = 1;
        return 2;
    }
    if (input == 3 && mode == 1) {
        mode = 2;
        return 3;
    }
    if (input == 4 && mode == 2) {
        reach_error();
    }
    seen = seen * 5 + 1;
    return 0;
}

int main(void) {
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input < 1 || input > 5) {
            return 0;
        }
        handle(input);
    }
}
