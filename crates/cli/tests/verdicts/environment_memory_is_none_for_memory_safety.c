// expect: false(valid-deref) | unknown property: valid-memsafety
// two answers: the pointer may be valid: the access is not proved, and a violation not always believed

// The pointer may be no address of anything: that it can be chosen to be one does not answer whether the access is valid.
extern int *given(void);

int main(void) {
    int *place = given();
    return place ? *place : 0;
}
