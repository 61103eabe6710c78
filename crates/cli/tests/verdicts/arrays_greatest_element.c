// expect: true config: arrays
// The greatest element: one cell at any offset, and the last read, are enough.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000], max = 0;
  for (int i = 0; i < 1000; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 1000; i++)
    if (a[i] > max)
      max = a[i];
  for (int i = 0; i < 1000; i++)
    if (a[i] > max)
      reach_error();
  return 0;
}
