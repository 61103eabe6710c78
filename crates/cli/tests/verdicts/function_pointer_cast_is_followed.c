// expect: false(unreach-call) also: value,value-cegar,symbolic-cegar,symbolic-thesis,symbolic-thesis-values-first,symbolic-thesis-values-only,symbolic-thesis-location,symbolic-thesis-variables,symbolic-thesis-implication,symbolic-thesis-delegation,symbolic-thesis-domain-good,interval,bdd,bmc,k-induction-formulas,bam-value,bam-value-cegar,bam-symbolic,bam-symbolic-cegar,bam-interval,bam-bdd,random,symbolic-thesis-predicates,predicate,predicate-cartesian,predicate-newton,pred,expl,newton-expl,value-interval,value-interval-cegar,value-bdd,fuzz,value-predicate
extern void reach_error(void);
static void found(int code) {
  if (code == 7)
    reach_error(); // violation
}
/* The pointer's type names no parameter that the function has; on every machine the function is entered all the same. */
int main(void) {
  void (*handler)(long, int) = (void (*)(long, int))found;
  handler(7, 1);
  return 0;
}
