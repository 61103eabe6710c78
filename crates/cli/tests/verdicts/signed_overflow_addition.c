// expect: false(no-overflow) property: no-overflow also: interval,bdd,bam-interval,bam-bdd,value-interval,value-interval-cegar,value-bdd,bam-symbolic-cegar
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = x + 1; // violation
  return y;
}
