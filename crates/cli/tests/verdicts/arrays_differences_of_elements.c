// expect: true config: arrays
// A difference of addresses counts elements, in whatever array it is used.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  int a[n], b[n];
  int *p = a;
  while (p < a + n) {
    *p = 7;
    b[p - a] = 9;
    p++;
  }
  for (int i = 0; i < n; i++)
    if (a[i] != 7 || b[i] != 9) reach_error();
  return 0;
}
