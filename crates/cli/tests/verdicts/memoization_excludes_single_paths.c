// expect: false(unreach-call) config: bam-value

// The error is in a block whose summary stands for two ways to it. The one that memoization meets first is infeasible, and no tracked value
// shows it: exploration of the whole program excludes it and finds the other.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void fail(void) {
    reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (x == y)
        fail();
    if (x < y && y < x)
        fail();
    return 0;
}
