// expect: unknown config: arrays
// The element before the last read decides, and it is another one.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[100], seen = 0;
  for (int i = 0; i < 100; i++)
    a[i] = i == 50;
  for (int i = 0; i < 100; i++) {
    if (a[i] != 0)
      seen = 1;
    if (seen && a[99] == 0)
      reach_error();
  }
  return 0;
}
