// expect: unknown config: arrays
// An address before the array is below its start.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a[4];
  a[0] = 1;
  int *p = a;
  p = p + __VERIFIER_nondet_int();
  if (p < a) reach_error();
  return 0;
}
