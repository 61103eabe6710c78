// expect: true config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// The callee sees neither the caller's pointer nor the objects: behind the call it is known where the pointer leads.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int first[2], second[2], level;
static void climb(void) {
  level = 0;
  while (level < 3) level++;
}
int main(void) {
  int *place = first;
  second[0] = 1;
  while (__VERIFIER_nondet_int()) {
    climb();
    *place = level;
  }
  if (second[0] != 1) reach_error();
  return 0;
}
