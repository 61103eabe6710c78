// expect: true config: bam-value set: block-rules=1 set: blocks=functions set: order=bfs also: bam-symbolic also: bam-value-cegar also: bam-symbolic-cegar also: value
// Values that choose an element, a round of a loop or an address are no mere values.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[4] = {0, 1, 2, 3}, index, rounds, sum, other;
static void step(int input) {
  int *where = index > 1 ? &sum : &other;
  for (int i = 0; i < rounds; i++) *where = (*where + table[index]) % 5;
  if (input == 1) index = (index + 1) & 3;
  if (input == 2) rounds = (rounds + 1) % 3;
}
int main(void) {
  for (;;) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 3) return 0;
    step(input);
    if (sum > 4 || other > 4 || index > 3) reach_error();
  }
}
