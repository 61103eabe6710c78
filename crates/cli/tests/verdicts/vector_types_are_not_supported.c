// expect: unknown

typedef int four __attribute__((vector_size(16)));
extern void reach_error(void);

int main(void) {
    four a = {1, 2, 3, 4};
    four b = a + a;
    b[1] += 1;
    if (b[1] != 5 || b[2] != 6)
        reach_error();
    return 0;
}
