// expect: true config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// What a block does not write holds behind it: the caller's local and a global that the callee never sees.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int counter, shadow;
static void climb(int limit) {
  counter = 0;
  while (counter < limit) counter++;
}
int main(void) {
  int flag = __VERIFIER_nondet_int() ? 1 : 0;
  shadow = flag;
  climb(7);
  climb(7);
  if (shadow != flag) reach_error();
  if (counter > 7) reach_error();
  return 0;
}
