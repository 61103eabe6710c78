// expect: true property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
  __int128 x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  __int128 sum = x + y, difference = x - y, product = (x & 255) * 3;
  product = -product;
  return (int)(sum ^ difference ^ product) & 1;
}
