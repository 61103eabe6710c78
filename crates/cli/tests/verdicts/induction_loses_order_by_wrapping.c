// expect: false(unreach-call) config: k-induction-formulas
// The counter wraps, so that its order with the value at the entry is lost.
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
    turn += k;
  }
  if (turn < start)
    reach_error(); // violation
  return 0;
}
