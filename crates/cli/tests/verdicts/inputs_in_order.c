// expect: false(unreach-call) also: value,value-cegar,symbolic-cegar,symbolic-thesis,symbolic-thesis-values-first,symbolic-thesis-values-only,symbolic-thesis-location,symbolic-thesis-variables,symbolic-thesis-implication,symbolic-thesis-delegation,symbolic-thesis-domain-good,bmc,k-induction-formulas,bam-value,bam-value-cegar,bam-symbolic,bam-symbolic-cegar,symbolic-thesis-predicates,predicate,predicate-cartesian,predicate-newton,pred,expl,newton-expl,value-interval,value-interval-cegar,value-bdd,fuzz,value-predicate
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  int code = 0;
  for (int i = 0; i < 3; i++)
    code = code * 10 + (__VERIFIER_nondet_uchar() & 7);
  if (code == 375)
    reach_error(); // violation
  return 0;
}
