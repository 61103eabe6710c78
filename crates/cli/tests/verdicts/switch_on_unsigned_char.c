// expect: false(unreach-call) also: value,value-cegar,symbolic-cegar,symbolic-thesis-values-first,symbolic-thesis-values-only,symbolic-thesis-location,symbolic-thesis-variables,symbolic-thesis-implication,symbolic-thesis-delegation,symbolic-thesis-domain-good,interval,bdd,bmc,k-induction-formulas,bam-value,bam-value-cegar,bam-symbolic,bam-symbolic-cegar,bam-interval,bam-bdd,symbolic-thesis-predicates,expl,newton-expl,value-interval,value-interval-cegar,value-bdd,fuzz
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  switch (c + 1) {
  case 256:
    reach_error(); // violation
  case 0:
    return 1;
  }
  return 0;
}
