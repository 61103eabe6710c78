// expect: true config: bam-value set: block-rules=1 set: blocks=functions set: order=bfs also: bam-symbolic also: bam-value-cegar also: bam-symbolic-cegar also: value
// An event loop whose body is entered with other values each time: most of them are handed on, or are far from what
// they are compared with.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int mode = 1, count, kept, turn;
static int step(int input) {
  if (mode == 1 && input == 1) {
    count = count + 1;
    if (count > 20) count = 0;
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
    if (count > 20 || kept > 20 || turn > 7) reach_error();
  }
}
