// expect: true config: arrays
// A flag that no round sets: the elements that a round reads are the watched ones.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000], b[1000], right = 1;
  for (int i = 0; i < 1000; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 1000; i++)
    if (a[i] >= 0)
      b[i] = 1;
    else
      b[i] = 0;
  for (int i = 0; i < 1000; i++) {
    if (a[i] >= 0 && !b[i])
      right = 0;
    if (a[i] < 0 && b[i])
      right = 0;
  }
  if (!right)
    reach_error();
  return 0;
}
