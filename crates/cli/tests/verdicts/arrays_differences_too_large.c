// expect: unknown | false(valid-deref) property: valid-memsafety config: arrays
// two answers: watched cells are for proofs; they must not prove this
// One more than the length of the text is one too many; and a difference counts elements, not bytes.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  char text[n], copy[n];
  for (int i = 0; i < n; i++) text[i] = __VERIFIER_nondet_char();
  text[n - 1] = 0;
  char *p = text;
  while (*p) p++;
  copy[p - text + 1] = 'x';
  return 0;
}
