// expect: false(valid-deref) property: valid-memsafety config: bam-value also: bam-symbolic,bam-value-cegar,bam-symbolic-cegar,value
// The block of `keep` touches no memory of `x`, but its address goes on to live in a global variable.
int *kept;
void keep(int *p) { kept = p; }
int first(void) {
  int x = 1;
  keep(&x);
  return x;
}
int main(void) {
  first();
  int y[1];
  y[0] = 2;
  *kept = 5; // violation
  return y[0];
}
