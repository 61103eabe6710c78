// expect: false(unreach-label) property: unreach-label also: bdd,bam-bdd,predicate,predicate-cartesian,predicate-newton,pred,expl,newton-expl,value-interval,value-interval-cegar,value-bdd,bam-symbolic-cegar,value-predicate
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 42)
    goto ERROR;
  return 0;
ERROR: // violation
  return 1;
}
