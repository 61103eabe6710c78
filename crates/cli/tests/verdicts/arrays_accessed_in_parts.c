// expect: unknown config: arrays
// Elements are written whole and in parts, so the array is not watched.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[10];
  for (int i = 0; i < 10; i++)
    a[i] = 0;
  ((char *)a)[9] = 1;
  for (int i = 0; i < 10; i++)
    if (a[i] != 0)
      reach_error();
  return 0;
}
