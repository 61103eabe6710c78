// expect: unknown property: termination also: termination time: 5s
// Only a signed overflow ends it: neither verdict.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x > 0)
        x++;
    return 0;
}
