// expect: true config: bam-value set: block-rules=1 set: blocks=functions set: order=bfs also: bam-symbolic also: bam-value-cegar also: bam-symbolic-cegar also: value
// A rule of the outer function needs one of the inner function; what is computed goes through both.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int level = 3, total, phase, last;
static int bounded(int value) {
  if (value >= 60) return value - 60;
  if (value < 0) return value + 60;
  return value;
}
static void step(int input) {
  if (phase == 0 && input == 1) {
    total = bounded(total + level);
    phase = 1;
    return;
  }
  if (phase == 1 && input == 2) {
    last = total;
    phase = 0;
  }
}
int main(void) {
  for (;;) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 2) return 0;
    step(input);
    if (total % 3 != 0 || last >= 60) reach_error();
  }
}
