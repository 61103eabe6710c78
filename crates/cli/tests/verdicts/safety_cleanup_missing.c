// expect: false(valid-memcleanup) property: valid-memcleanup also: bdd,bam-bdd,predicate,predicate-cartesian,predicate-newton,pred,value-interval,value-interval-cegar,value-bdd,bam-symbolic-cegar,value-predicate

#include <stdlib.h>
int *keep;
int main(void) {
  keep = malloc(4);
  return 0;
}
