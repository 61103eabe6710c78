// expect: false(unreach-call) config: predicate also: value-predicate,predicate-boolean,bam-predicate
// Calls that are still open are gone on with last: the recursion has no end before anything is known of `k`.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int down(int k) {
  int l = k;
  int *q = &l;
  if (k > 0 && k < 5) l = down(k - 1);
  return *q;
}
int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k > 0 && k < 5 && down(k) == 0) reach_error(); // violation
  return 0;
}
