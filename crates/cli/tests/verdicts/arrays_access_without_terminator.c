// expect: unknown property: valid-memsafety config: arrays
// The terminator is not always written.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) return 0;
  char *s = __builtin_alloca(n);
  for (int i = 0; i < n; i++) s[i] = __VERIFIER_nondet_char();
  if (n != 7) s[n - 1] = 0;
  char *p = s;
  while (*p) p++;
  return 0;
}
