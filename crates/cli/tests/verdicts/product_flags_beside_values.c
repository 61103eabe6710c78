// expect: true config: value-bdd
// The flags are two truth values that depend on each other; the address is known to values only.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a = __VERIFIER_nondet_int() != 0, b = a, cell = 3, *p = &cell;
  *p = 4;
  if (cell != 4)
    reach_error();
  for (int i = 0; i < 5; i++) {
    if (__VERIFIER_nondet_int())
      a = !a, b = !b;
  }
  if (a != b)
    reach_error();
  return 0;
}
