// expect: true property: valid-memsafety config: arrays
// The terminator ends the loop inside the array, whatever its length.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
static int length(const char *s) {
  const char *p = s;
  while (*p) p++;
  if (p == s) return 0;
  return 1;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) return 0;
  char *s = __builtin_alloca(n);
  if (!s) return 0;
  for (int i = 0; i < n; i++) s[i] = __VERIFIER_nondet_char();
  s[n - 1] = 0;
  return length(s);
}
