// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int i = 0, j = 0;
  while (i < 8) {
    if (__VERIFIER_nondet_int())
      break;
    i++;
    j += 2;
  }
  check(j == 2 * i);
  return 0;
}
