// expect: true property: no-lossy-conversion
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 255) return 0;
  unsigned char c = x;
  signed char d = (signed char)x;
  return c + d;
}
