// expect: unknown | false(valid-deref) property: valid-memsafety config: arrays
// two answers: watched cells are for proofs; they must not prove this
// The address was one in the array of the round before.
int main(void) {
  int *p = 0;
  for (int i = 0; i < 3; i++) {
    int a[4];
    a[i] = 1;
    if (i == 2) p[1] = 5;
    p = a;
  }
  return 0;
}
