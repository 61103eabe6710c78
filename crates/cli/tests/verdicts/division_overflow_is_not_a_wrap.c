// expect: unknown | true
// two answers: what follows the trap is not modelled by every analysis
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/* The machine traps: no run gets past the division with this divisor and the smallest number. */
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (b != -1 || a >= 0)
    return 0;
  if (a / b < 0)
    reach_error();
  return 0;
}
