// expect: true config: bmc

// A loop that waits changes nothing until something else happens, so two changes are all that can be seen.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int stage, turn[3], seen;

void others(void) {
    if (stage < 2 && __VERIFIER_nondet_int())
        stage++;
}

int main(void) {
    turn[0] = 1;
    turn[1] = 1;
    while (turn[stage]) {
        int unused = __VERIFIER_nondet_int();
        seen = stage + 1;
        others();
    }
    if (stage != 2 || seen > 2)
        reach_error();
    return 0;
}
