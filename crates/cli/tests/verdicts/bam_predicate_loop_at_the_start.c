// expect: true config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// The loop's block begins where the program does: what globals are then is known behind it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int untouched = 3, other;
int main(void) {
  while (__VERIFIER_nondet_int()) other = 1;
  if (untouched != 3) reach_error();
  while (__VERIFIER_nondet_int()) other = 0;
  if (untouched != 3 || other > 1) reach_error();
  return 0;
}
