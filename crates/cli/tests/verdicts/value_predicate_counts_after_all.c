// expect: true config: value-predicate
// No predicate of few says what the table holds: the loop of 25 rounds is unrolled after all.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned hash = 7;
    for (int i = 0; i < 25; i++) {
        hash = hash * 31 + i;
    }
    int again = __VERIFIER_nondet_int();
    while (again > 0) {
        again--;
        if (hash == 12) {
            reach_error();
        }
    }
    return 0;
}
