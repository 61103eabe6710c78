// expect: false(unreach-call) config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// As `bam_predicate_loop_at_the_start`, but the loop writes it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int touched = 3, other;
int main(void) {
  while (__VERIFIER_nondet_int()) {
    other = 1;
    if (__VERIFIER_nondet_int() == 9) touched = 4;
  }
  if (touched != 3) reach_error(); // violation
  return 0;
}
