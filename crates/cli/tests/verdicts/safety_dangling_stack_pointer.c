// expect: false(valid-deref) property: valid-memsafety also: interval,bdd,bam-value-cegar,bam-interval,bam-bdd,predicate,predicate-cartesian,predicate-newton,pred,value-interval,value-interval-cegar,value-bdd,bam-symbolic-cegar,value-predicate

int *escape(void) {
  int local = 5;
  int *p = &local;
  return p;
}
int main(void) {
  int *p = escape();
  return *p; // violation
}
