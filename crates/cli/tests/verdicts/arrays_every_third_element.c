// expect: true config: arrays
// One array takes every third element of another.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000], b[1000], j = 0;
  for (int i = 0; i < 1000; i++)
    b[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < 1000; i += 3) {
    a[j] = b[i];
    j++;
  }
  j = 0;
  for (int i = 1; i < 1000; i += 3) {
    if (a[j] != b[3 * j + 1])
      reach_error();
    j++;
  }
  return 0;
}
