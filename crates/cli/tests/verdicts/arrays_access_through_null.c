// expect: unknown | false(valid-deref) property: valid-memsafety config: arrays
// two answers: watched cells are for proofs; they must not prove this
// A pointer of the whole program is null before it is set, and no address in the array.
static int *p;
int main(void) {
  int a[4];
  a[0] = 1;
  *p = 2;
  p = a;
  return p[0];
}
