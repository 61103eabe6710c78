// expect: false(unreach-call) config: k-induction-formulas

// The state comes back after two rounds, and is another one in each of them.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int light = 0, was = 1;
    while (__VERIFIER_nondet_int() != 3) {
        was = light;
        light = !light;
    }
    if (light && !was)
        reach_error();
    return 0;
}
