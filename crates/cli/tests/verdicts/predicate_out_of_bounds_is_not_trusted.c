// expect: unknown config: predicate
// What is written behind the end of the array may be anywhere, so nothing is known of memory after it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[4] = {0, 0, 0, 0};
    int b[1] = {1};
    int *q = b;
    int i = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        a[i] = 7;
    }
    if (*q != 1) {
        reach_error();
    }
    return 0;
}
