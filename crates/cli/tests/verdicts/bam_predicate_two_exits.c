// expect: true config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// A loop with two ways out, and a function with several returns: each end has what is known there.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int mode, seen;
static int next(int m) {
  if (m == 3) return 5;
  if (m == 5) return 9;
  return 3;
}
int main(void) {
  mode = 3;
  seen = 0;
  while (__VERIFIER_nondet_int()) {
    mode = next(mode);
    if (mode == 9) {
      seen = 1;
      break;
    }
  }
  if (seen && mode != 9) reach_error();
  if (!seen && mode != 3 && mode != 5) reach_error();
  return 0;
}
