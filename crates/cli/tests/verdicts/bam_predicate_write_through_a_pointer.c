// expect: false(unreach-call) config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// The callee does not name the caller's local, but has its address.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void set(int *place, int value) {
  int i = 0;
  while (i < 2) i++;
  if (value == 5) *place = value;
}
int main(void) {
  int mine = 1;
  set(&mine, __VERIFIER_nondet_int());
  if (mine != 1) reach_error(); // violation
  return 0;
}
