// expect: unknown config: arrays
// The address of the array is kept in memory: what is written through it is not seen, so the array is not watched.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int a[10];
int *keep;
int **where = &keep;
int main(void) {
  *where = a;
  for (int i = 0; i < 10; i++)
    a[i] = 7;
  **where = 8;
  for (int i = 0; i < 10; i++)
    if (a[i] != 7)
      reach_error();
  return 0;
}
