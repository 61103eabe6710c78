// expect: false(unreach-call) config: bam-value set: block-rules=1 set: blocks=functions set: order=bfs also: bam-symbolic also: bam-value-cegar also: bam-symbolic-cegar also: value
// The path to the error leads through blocks that a rule stood for.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int mode = 1, count, kept, turn;
static int step(int input) {
  if (mode == 1 && input == 1) {
    count = count + 1;
    mode = 2;
    return 1;
  }
  if (mode == 2 && input == 2) {
    mode = 1;
    kept = count;
    return 2;
  }
  turn = (turn + 1) % 8;
  return 0;
}
int main(void) {
  for (;;) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 3) return 0;
    step(input);
    if (kept == 30 && turn == 5) reach_error(); // error
  }
}
