// expect: unknown config: arrays
// The same call of malloc makes two arrays, which are not one.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

void *malloc(unsigned long size);
int main(void) {
  int *p[2];
  int *first = 0, *second = 0;
  for (int k = 0; k < 2; k++) {
    first = second;
    second = malloc(10 * sizeof(int));
  }
  for (int i = 0; i < 10; i++)
    first[i] = 1;
  for (int i = 0; i < 10; i++)
    second[i] = 2;
  for (int i = 0; i < 10; i++)
    if (first[i] == 1)
      reach_error();
  return 0;
}
