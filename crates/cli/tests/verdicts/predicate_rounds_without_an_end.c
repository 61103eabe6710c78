// expect: true config: predicate
// The test compares two numbers that are near and never meet: the block ends all the same, after some rounds.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int turn = 0, seen = 0;
  while (turn < 2) {
    turn = 1 - turn;
    if (__VERIFIER_nondet_int()) seen = 1;
    if (seen > 1) reach_error();
  }
  return 0;
}
