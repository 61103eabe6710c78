// expect: true config: value-predicate also: predicate time: 10s
// Value analysis remembers addresses, and there are 2^14 combinations of them here: it sleeps until values refute a
// path.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned a = 1, b = 2, x = __VERIFIER_nondet_int();
    unsigned *p0, *p1, *p2, *p3, *p4, *p5, *p6, *p7, *p8, *p9, *p10, *p11, *p12, *p13;
    if (__VERIFIER_nondet_int()) {
        p0 = &a;
    } else {
        p0 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p1 = &a;
    } else {
        p1 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p2 = &a;
    } else {
        p2 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p3 = &a;
    } else {
        p3 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p4 = &a;
    } else {
        p4 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p5 = &a;
    } else {
        p5 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p6 = &a;
    } else {
        p6 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p7 = &a;
    } else {
        p7 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p8 = &a;
    } else {
        p8 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p9 = &a;
    } else {
        p9 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p10 = &a;
    } else {
        p10 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p11 = &a;
    } else {
        p11 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p12 = &a;
    } else {
        p12 = &b;
        x++;
    }
    if (__VERIFIER_nondet_int()) {
        p13 = &a;
    } else {
        p13 = &b;
        x++;
    }
    *p0 = x;
    *p1 = x;
    *p2 = x;
    *p3 = x;
    *p4 = x;
    *p5 = x;
    *p6 = x;
    *p7 = x;
    *p8 = x;
    *p9 = x;
    *p10 = x;
    *p11 = x;
    *p12 = x;
    *p13 = x;
    if (a != x && b != x) {
        reach_error();
    }
    return 0;
}
