// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int c = __VERIFIER_nondet_int() != 0;
  unsigned int u = 1;
  // The result is unsigned whichever way it goes.
  check((c ? -1 : u) > 0);
  check((c ? 1 : 2.5) >= 1.0);
  check((c ?: 7) == 1 || (c ?: 7) == 7);
  char *p = c ? 0 : (char *)&c;
  check((p == 0) == (c != 0));
  return 0;
}
