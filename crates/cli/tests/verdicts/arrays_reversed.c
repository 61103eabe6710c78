// expect: true config: arrays
// Contents at two offsets whose sum is always the same.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000], b[1000];
  for (int i = 0; i < 1000; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 1000; i++)
    b[i] = a[999 - i];
  for (int i = 0; i < 1000; i++)
    if (a[i] != b[999 - i])
      reach_error();
  return 0;
}
