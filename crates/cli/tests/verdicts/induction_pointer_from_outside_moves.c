// expect: unknown | false(unreach-call) config: k-induction-formulas time: 2s
// two answers: the violation lies behind a thousand rounds, for which the time may be too short
// A pointer from outside that moves on: no induction may take it that the place where it points is undefined.
extern void reach_error(void);
extern int *get(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = get();
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    p[i] = 1;
  if (n > 1000)
    reach_error();
  return 0;
}
