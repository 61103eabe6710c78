// expect: unknown config: arrays
// The flag forgets all comparisons but the last one.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000], b[1000], equal = 1;
  for (int i = 0; i < 1000; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < 1000; i++)
    if (a[i] != b[i])
      equal = 0;
    else
      equal = 1;
  if (equal)
    for (int i = 0; i < 1000; i++)
      if (a[i] != b[i])
        reach_error();
  return 0;
}
