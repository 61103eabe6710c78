// expect: false(valid-deref) property: valid-memsafety config: bam-value also: bam-symbolic each: blocks=loops,both
// As with a function: the loop is a block that touches no memory of `x` and keeps its address.
int *kept;
int first(void) {
  int x = 1, i = 0;
  while (i < 3) {
    kept = &x;
    i++;
  }
  return i;
}
int main(void) {
  first();
  int y[1];
  y[0] = 2;
  *kept = 5; // violation
  return y[0];
}
