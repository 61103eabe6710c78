// expect: false(unreach-call) config: random

// Extreme inputs of one bit: the smallest signed number, 1, comes first, and zeros follow.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int ones = 0, zeros = 0;
    while (ones < 4 && __VERIFIER_nondet_bool())
        ones++;
    while (zeros < 40 && !__VERIFIER_nondet_bool())
        zeros++;
    if (ones == 4 && zeros == 40)
        reach_error();
    return 0;
}
