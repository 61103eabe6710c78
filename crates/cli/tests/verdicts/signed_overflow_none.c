// expect: true property: no-overflow
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 100 && x > -100) {
    int y = x + 1;
    return y * 2;
  }
  unsigned int u = __VERIFIER_nondet_uint();
  u = u + 1;
  u = u * 7;
  short s = (short)u;
  s = s + 1;
  return s;
}
