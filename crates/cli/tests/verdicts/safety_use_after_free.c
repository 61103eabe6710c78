// expect: false(valid-deref) property: valid-memsafety also: bdd,bam-bdd,value-interval,value-interval-cegar,value-bdd,bam-symbolic-cegar

#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof(int));
  *p = 1;
  free(p);
  return *p; // violation
}
