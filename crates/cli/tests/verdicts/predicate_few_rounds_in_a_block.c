// expect: true config: predicate also: value-predicate also: predicate-boolean
// The loop ends after six rounds: it stays inside of one block, and nothing of the cells is lost at its head.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
  unsigned a[6];
  unsigned sum = 0;
  for (int i = 0; i < 6; i++) a[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 6; i++) sum += a[i] * (i + 1u);
  for (int i = 5; i >= 0; i--) sum -= a[i] * (i + 1u);
  if (sum != 0) reach_error();
  return 0;
}
