// expect: unknown config: arrays
// A read outside of the array gives any value: the watched offset is inside, and the error is believed all the same.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[10];
  for (int i = 0; i < 10; i++)
    a[i] = 7;
  for (int i = 0; i <= 10; i++)
    if (a[i] != 7)
      reach_error();
  return 0;
}
