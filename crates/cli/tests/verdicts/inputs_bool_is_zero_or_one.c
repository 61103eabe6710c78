// expect: true also: bdd,bam-bdd,predicate,predicate-cartesian,predicate-newton,pred,value-bdd,bam-symbolic-cegar,value-predicate
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  _Bool b = __VERIFIER_nondet_bool();
  check(b == 0 || b == 1);
  return 0;
}
