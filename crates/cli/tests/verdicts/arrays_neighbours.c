// expect: true config: arrays
// Two elements at once: two cells are watched.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000];
  for (int i = 0; i < 1000; i++)
    a[i] = 3;
  for (int i = 0; i < 999; i++)
    if (a[i] != a[i + 1])
      reach_error();
  return 0;
}
