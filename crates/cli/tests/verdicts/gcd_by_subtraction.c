// expect: true also: value,value-cegar,symbolic-cegar,symbolic-thesis,symbolic-thesis-values-first,symbolic-thesis-values-only,symbolic-thesis-location,symbolic-thesis-variables,symbolic-thesis-implication,symbolic-thesis-delegation,symbolic-thesis-domain-good,bmc,k-induction-formulas,bam-value,bam-value-cegar,bam-symbolic,bam-symbolic-cegar,random,symbolic-thesis-predicates,expl,newton-expl,value-interval,value-interval-cegar,value-bdd
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int gcd(int a, int b) {
  while (a != b) {
    if (a > b)
      a -= b;
    else
      b -= a;
  }
  return a;
}
int main(void) {
  check(gcd(12, 18) == 6);
  check(gcd(17, 5) == 1);
  return 0;
}
