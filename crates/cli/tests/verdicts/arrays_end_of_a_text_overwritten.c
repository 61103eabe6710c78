// expect: unknown | false(valid-deref) property: valid-memsafety config: arrays
// two answers: watched cells are for proofs; they must not prove this
// The end is put first, and what is written afterwards may stand in its place.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  char text[n];
  text[n - 1] = 0;
  for (int i = 0; i < n; i++) text[i] = __VERIFIER_nondet_char();
  char *p = text;
  while (*p) p++;
  return 0;
}
