// expect: true config: predicate also: predicate-boolean
// What the caller knows of its local must survive the loop of the callee.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int rounds(int n) {
    int i = 0;
    while (i < n) {
        i++;
    }
    return i;
}

int main(void) {
    int kept = __VERIFIER_nondet_int();
    if (kept != 5 && kept != 9) {
        return 0;
    }
    rounds(__VERIFIER_nondet_int());
    if (kept != 5 && kept != 9) {
        reach_error();
    }
    return 0;
}
