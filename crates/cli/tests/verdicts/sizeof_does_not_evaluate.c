// expect: true also: value,value-cegar,symbolic-cegar,symbolic-thesis-values-first,symbolic-thesis-values-only,symbolic-thesis-location,symbolic-thesis-variables,symbolic-thesis-implication,symbolic-thesis-delegation,symbolic-thesis-domain-good,interval,bdd,bmc,k-induction-formulas,bam-value,bam-value-cegar,bam-symbolic,bam-symbolic-cegar,bam-interval,bam-bdd,symbolic-thesis-predicates,expl,newton-expl,value-interval,value-interval-cegar,value-bdd
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = 1;
  check(sizeof(x++) == sizeof(int));
  check(x == 1);
  int a[7];
  check(sizeof(a) / sizeof(a[0]) == 7);
  check(sizeof("hello") == 6);
  return a[0] * 0;
}
