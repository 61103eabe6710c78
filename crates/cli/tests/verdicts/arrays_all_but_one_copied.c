// expect: true config: arrays
// An element that is left out is left out of the check, too.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000], b[1000], z = 700;
  for (int i = 0; i < 1000; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < 1000; i++)
    if (i != z)
      b[i] = a[i];
  for (int i = 0; i < 1000; i++)
    if (i != z && a[i] != b[i])
      reach_error();
  return 0;
}
