// expect: unknown | false(valid-deref) property: valid-memsafety config: arrays
// two answers: watched cells are for proofs; they must not prove this
// The array is gone when its function has returned, and when its block is left.
extern int __VERIFIER_nondet_int(void);
static int *keep(void) {
  int a[4];
  a[0] = 1;
  int *p = a;
  return p;
}
int main(void) {
  int *q;
  if (__VERIFIER_nondet_int()) return *keep();
  {
    int b[4];
    b[1] = 2;
    q = b;
  }
  return *q;
}
