// expect: true property: valid-memsafety config: arrays
// How far a pointer has gone is a number like any other.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
static int length(const char *text) {
  const char *p = text;
  while (*p) p++;
  return (int)(p - text);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  char text[n], copy[n];
  for (int i = 0; i < n; i++) text[i] = __VERIFIER_nondet_char();
  text[n - 1] = 0;
  int l = length(text);
  for (int i = 0; i <= l; i++) copy[i] = 'x';
  return 0;
}
