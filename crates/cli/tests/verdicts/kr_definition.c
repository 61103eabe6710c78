// expect: true also: value,value-cegar,symbolic-cegar,symbolic-thesis,symbolic-thesis-values-first,symbolic-thesis-values-only,symbolic-thesis-location,symbolic-thesis-variables,symbolic-thesis-implication,symbolic-thesis-delegation,symbolic-thesis-domain-good,interval,bmc,k-induction-formulas,bam-value,bam-value-cegar,bam-symbolic,bam-symbolic-cegar,bam-interval,random,symbolic-thesis-predicates,predicate,predicate-cartesian,predicate-newton,pred,expl,newton-expl,value-interval,value-interval-cegar,value-bdd,value-predicate
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int add(a, b)
int a;
int b;
{
  return a + b;
}
int main() {
  check(add(2, 3) == 5);
  return 0;
}
