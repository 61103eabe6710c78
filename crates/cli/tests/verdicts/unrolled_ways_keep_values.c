// expect: true config: bmc

// Many ways to one place: returns, breaks and a switch, each with its value.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int classify(unsigned x) {
    switch (x % 7) {
    case 0:
        return 3;
    case 1:
    case 2:
        break;
    case 3:
        if (x > 100)
            return 5;
        break;
    default:
        return 9;
    }
    for (int i = 0; i < 3; i++)
        if (x == (unsigned)i + 50)
            return 20 + i;
    return 1;
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    int c = classify(a), d = classify(b);
    if ((c == 20 && d == 9) && (a != 50 || b % 7 < 3))
        reach_error();
    return 0;
}
