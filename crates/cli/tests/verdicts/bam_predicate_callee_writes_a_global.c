// expect: false(unreach-call) config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// The callee's callee writes what the caller compares: nothing of it may be kept from before the call.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int shadow, rounds;
static void deep(int v) {
  if (v > 100) shadow = 2;
}
static void middle(void) {
  rounds = 0;
  while (rounds < 3) rounds++;
  deep(__VERIFIER_nondet_int());
}
int main(void) {
  int flag = __VERIFIER_nondet_int() ? 1 : 0;
  shadow = flag;
  middle();
  if (shadow != flag) reach_error(); // violation
  return 0;
}
