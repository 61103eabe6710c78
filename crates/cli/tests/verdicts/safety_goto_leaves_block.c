// expect: false(valid-deref) property: valid-memsafety also: bdd,bam-interval,bam-bdd,predicate,predicate-cartesian,predicate-newton,pred,value-interval,value-interval-cegar,value-bdd,bam-symbolic-cegar,value-predicate
// A jump out of a block ends the lives of its variables.
int main(void) {
  int *p = 0;
  {
    int x = 1;
    p = &x;
    goto out;
  }
out:
  return *p; // violation
}
