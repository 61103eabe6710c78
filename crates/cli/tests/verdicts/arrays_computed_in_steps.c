// expect: true config: arrays
// What one loop writes is put together from what the loops before it wrote.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[500], b[500];
  for (int i = 0; i < 500; i++)
    a[i] = 42;
  for (int i = 0; i < 500; i++)
    b[i] = a[i];
  for (int i = 0; i < 500; i++)
    b[i] = b[i] + i;
  for (int i = 0; i < 500; i++)
    if (b[i] != 42 + i)
      reach_error();
  return 0;
}
