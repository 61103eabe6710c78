// expect: unknown | false(valid-deref) property: valid-memsafety config: arrays
// two answers: watched cells are for proofs; they must not prove this
// The end of the second text is one too far for what is appended.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
static void append(char *to, const char *from) {
  while (*to) to++;
  while ((*to++ = *from++) != 0)
    ;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 1 || m < 1 || n > 1000 || m > 1000) return 0;
  char from[n], to[n + m];
  for (int i = 0; i < n; i++) from[i] = __VERIFIER_nondet_char();
  for (int i = 0; i < n + m; i++) to[i] = __VERIFIER_nondet_char();
  from[n - 1] = 0;
  to[m + 1 < n + m ? m + 1 : m] = 0;
  append(to, from);
  return 0;
}
