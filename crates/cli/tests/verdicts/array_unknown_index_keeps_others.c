// expect: true also: symbolic-cegar,symbolic-thesis-values-first,symbolic-thesis-values-only,symbolic-thesis-location,symbolic-thesis-variables,symbolic-thesis-implication,symbolic-thesis-delegation,symbolic-thesis-domain-good,bmc,k-induction-formulas,bam-symbolic,bam-symbolic-cegar,symbolic-thesis-predicates,predicate,predicate-cartesian,predicate-newton,pred,value-predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int a[3] = {1, 1, 1};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 2)
    return 0;
  a[i] = 5;
  check(a[0] + a[1] + a[2] == 7);
  check(a[i] == 5);
  return 0;
}
