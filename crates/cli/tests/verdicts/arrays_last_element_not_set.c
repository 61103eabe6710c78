// expect: unknown config: arrays
// One element is left out, and it is the one that is found.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000];
  for (int i = 0; i < 999; i++)
    a[i] = 7;
  for (int i = 0; i < 1000; i++)
    if (a[i] != 7)
      reach_error();
  return 0;
}
