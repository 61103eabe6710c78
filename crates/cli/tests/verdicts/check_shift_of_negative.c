// expect: true property: no-shift-of-negative
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 4) return 0;
  return x << 2;
}
