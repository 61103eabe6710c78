// expect: true config: arrays
// Downwards, through a pointer that a function is given, and in two dimensions.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int table[100][50];
static void fill(int *p, int n) {
  for (int i = n - 1; i >= 0; i--)
    p[i] = i > 5;
}
int main(void) {
  int a[500], i, j;
  fill(a, 500);
  for (i = 0; i < 100; i++)
    for (j = 0; j < 50; j++)
      table[i][j] = 5;
  for (i = 0; i < 500; i++)
    if (a[i] < 0 || a[i] > 1)
      reach_error();
  for (i = 0; i < 100; i++)
    for (j = 0; j < 50; j++)
      if (table[i][j] != 5)
        reach_error();
  return 0;
}
