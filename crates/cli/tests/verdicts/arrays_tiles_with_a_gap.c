// expect: unknown config: arrays
// The second loop leaves out the last of its elements.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int n = __VERIFIER_nondet_int(), least = 2;
  if (n < 2 || n % 2 != 0)
    return 0;
  int a[n];
  for (int i = 1; i <= n / 2; i++)
    a[i * 2 - 2] = 3 >= least ? 3 : 0;
  for (int i = 1; i < n / 2; i++)
    a[i * 2 - 1] = 1 >= least ? 1 : 0;
  for (int i = 0; i < n; i++)
    if (a[i] < least && a[i] != 0)
      reach_error();
  return 0;
}
