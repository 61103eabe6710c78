// expect: true also: symbolic-cegar,symbolic-thesis-values-first,symbolic-thesis-values-only,symbolic-thesis-location,symbolic-thesis-variables,symbolic-thesis-implication,symbolic-thesis-delegation,symbolic-thesis-domain-good,bmc,k-induction-formulas,bam-symbolic,symbolic-thesis-predicates,bam-symbolic-cegar
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int a[5];
  for (int i = 0; i < 5; i++)
    a[i] = i * i;
  check(a[0] == 0 && a[4] == 16);
  int k = __VERIFIER_nondet_int();
  if (k >= 0 && k < 5)
    check(a[k] == k * k);
  return 0;
}
