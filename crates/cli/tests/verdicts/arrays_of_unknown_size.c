// expect: true config: arrays
// As many elements as an input says, on the stack and on the heap.
void *malloc(unsigned long size);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0 || n > 100000)
    return 0;
  int *a = malloc(sizeof(int) * n);
  int b[n];
  for (int i = 0; i < n; i++) {
    a[i] = i % 2 ? 4 : 0;
    b[i] = a[i];
  }
  for (int i = 0; i < n; i++)
    if (b[i] != 0 && b[i] != 4)
      reach_error();
  return 0;
}
