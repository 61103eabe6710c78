// expect: unknown | false(valid-deref) property: valid-memsafety config: arrays
// two answers: watched cells are for proofs; they must not prove this
// The loop begins behind the end of the text, and the last end that was put is the one that counts.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (n < 2 || n > 1000 || k < 0 || k >= n) return 0;
  char text[n];
  for (int i = 0; i < n; i++) text[i] = __VERIFIER_nondet_char();
  text[n - 1] = 0;
  text[n - 1] = 'x';
  text[k] = 0;
  char *p = text + n / 2;
  while (*p) p++;
  return 0;
}
