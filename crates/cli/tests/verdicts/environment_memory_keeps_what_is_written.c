// expect: true | unknown
// two answers: the pointer may be no address, which not every analysis can tell

// Whatever the pointer points to: what was written is read again.
extern void reach_error(void);
extern int *given(void);

int main(void) {
    int *place = given();
    int own = 1;
    if (!place)
        return 0;
    place[1] = 3;
    if (place[1] != 3)
        reach_error();
    if (own != 1 && place != &own)
        reach_error();
    return 0;
}
