// expect: true config: bam-predicate set: block-size=0 set: blocks=both each: engine=sequential,parallel
// Blocks that several callers enter in the same state, by one worker and by several.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int level, lights;
static void climb(void) {
  level = 0;
  while (level < 9) level++;
}
static void left(void) { climb(); lights = level > 4; }
static void right(void) { climb(); lights = level > 8; }
int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) left(); else right();
    if (lights != 1) reach_error();
  }
  return 0;
}
