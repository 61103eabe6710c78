// expect: true config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// What the callee's loop does is said of the caller's local, whose frame is a part of the block's state then.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int level;
static void copy(int value) {
  level = value;
  while (__VERIFIER_nondet_int()) level = value;
}
int main(void) {
  int wanted = __VERIFIER_nondet_int();
  copy(wanted);
  if (level != wanted) reach_error();
  return 0;
}
