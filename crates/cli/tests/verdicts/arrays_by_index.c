// expect: true config: arrays
// Contents that depend on the index.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000], b[1000], i;
  for (i = 0; i < 1000; i++)
    a[i] = 42;
  for (i = 0; i < 1000; i++)
    a[i] = a[i] + i;
  for (i = 0; i < 1000; i++) {
    b[i] = __VERIFIER_nondet_int();
    if (b[i] > i)
      b[i] = i;
  }
  for (i = 0; i < 1000; i++)
    if (a[i] != 42 + i || b[i] > i)
      reach_error();
  return 0;
}
