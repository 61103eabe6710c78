// expect: true property: no-uninitialised-read also: symbolic,k-induction-formulas
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x, c = __VERIFIER_nondet_int();
  if (c > 3)
    x = 1;
  if (c > 3 && x == 1)
    return 1;
  return 0;
}
