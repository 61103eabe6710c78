// expect: true property: valid-memsafety config: arrays
// A text of any length ends where the program has put its end: no loop that looks for it goes further.
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
  for (int i = 0; i < m; i++) to[i] = __VERIFIER_nondet_char();
  from[n - 1] = 0;
  to[m - 1] = 0;
  append(to, from);
  return 0;
}
