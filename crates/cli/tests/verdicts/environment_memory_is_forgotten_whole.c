// expect: false(unreach-call) | unknown model: ILP32 config: k-induction-formulas
// two answers: the violation need not be found, but its absence must not be proved

// A write to a place that nobody can tell, among many objects, may go to the memory of the environment, too.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int *given(void);

#define TEN(x) int x##0[4], x##1[4], x##2[4], x##3[4], x##4[4], x##5[4], x##6[4], x##7[4], x##8[4], x##9[4];
TEN(a) TEN(b) TEN(c) TEN(d) TEN(e) TEN(f) TEN(g)

int main(void) {
    int *place = given();
    unsigned long sum = (unsigned long)&a0 + (unsigned long)&b1 - (unsigned long)&c2 + __VERIFIER_nondet_int();
    *(int *)sum = 1;
    if (place && place[1] == 7)
        reach_error();
    return 0;
}
