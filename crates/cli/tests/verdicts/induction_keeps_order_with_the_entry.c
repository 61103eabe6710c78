// expect: true config: k-induction-formulas
// The counter never falls below its value at the loop's entry, which nothing but the entry tells.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

unsigned char turn;

int main(void) {
  unsigned char start = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(start < 100);
  turn = start;
  while (__VERIFIER_nondet_int()) {
    unsigned char k = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(turn + k < 200);
    turn += k;
  }
  if (turn < start)
    reach_error();
  return 0;
}
