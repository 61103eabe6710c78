// expect: false(unreach-call) config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// The second call enters the block as the first does, as far as it can see; what is around it differs.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int step;
static void count(void) {
  step = 0;
  while (step < 4) step++;
}
int main(void) {
  int phase = 0;
  count();
  if (phase != 0) reach_error();
  phase = 1;
  count();
  if (phase != 0 && step >= 4) reach_error(); // violation
  return 0;
}
