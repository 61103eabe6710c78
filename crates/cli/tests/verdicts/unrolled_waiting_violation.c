// expect: false(unreach-call) config: bmc

// The last round before the violation changes memory through a pointer, the ones before it nothing.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int first, second;

int main(void) {
    int *where = &first;
    while (first + second < 2) {
        if (__VERIFIER_nondet_int() == 7) {
            *where = *where + 1;
            where = where == &first ? &second : &first;
        }
    }
    if (first == 1 && second == 1)
        reach_error();
    return 0;
}
