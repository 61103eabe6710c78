// expect: false(unreach-call) also: value,value-cegar,symbolic-cegar,symbolic-thesis-values-first,symbolic-thesis-values-only,symbolic-thesis-location,symbolic-thesis-variables,symbolic-thesis-implication,symbolic-thesis-delegation,symbolic-thesis-domain-good,bmc,bam-value,bam-value-cegar,bam-symbolic,bam-symbolic-cegar,random,symbolic-thesis-predicates,expl,newton-expl,value-interval,value-interval-cegar,value-bdd,fuzz
extern void reach_error(void);

struct counter {
  unsigned int low : 2;
  unsigned int high : 6;
};
int main(void) {
  struct counter c = {0, 0};
  for (int i = 0; i < 4; i++)
    c.low++;
  if (c.low == 0 && c.high == 0)
    reach_error(); // violation
  return 0;
}
