// expect: true also: value,value-cegar,symbolic-cegar,symbolic-thesis,symbolic-thesis-values-first,symbolic-thesis-values-only,symbolic-thesis-location,symbolic-thesis-variables,symbolic-thesis-implication,symbolic-thesis-delegation,symbolic-thesis-domain-good,interval,bmc,k-induction-formulas,bam-value,bam-value-cegar,bam-symbolic,bam-symbolic-cegar,bam-interval,random,symbolic-thesis-predicates,expl,newton-expl,value-interval,value-interval-cegar,value-bdd
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int x = 1;
int main(void) {
  check(x == 1);
  int x = 2;
  {
    int x = 3;
    check(x == 3);
    {
      extern int x;
      check(x == 1);
    }
  }
  check(x == 2);
  for (int x = 10; x < 11; x++)
    check(x == 10);
  check(x == 2);
  return 0;
}
