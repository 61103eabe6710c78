// expect: unknown | false(valid-deref) property: valid-memsafety config: arrays
// two answers: watched cells are for proofs; they must not prove this
// On one way the pointer is used before it is set.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char a[8];
  char *p;
  if (__VERIFIER_nondet_int()) p = a;
  for (int i = 0; i < 8; i++) *p++ = 0;
  return 0;
}
