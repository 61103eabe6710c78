// expect: unknown model: ILP32 config: k-induction-formulas

// What lies at an address that the program makes up is nobody's choice, even where the memory of the environment would be.
extern void reach_error(void);

int main(void) {
    int *place = (int *)0x60000010;
    *place = 1;
    if (*place != 1)
        reach_error();
    return 0;
}
