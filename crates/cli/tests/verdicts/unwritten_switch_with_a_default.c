// expect: true property: no-uninitialised-read
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x;
  switch (__VERIFIER_nondet_int()) {
  case 1:
    x = 10;
    break;
  default:
    x = 20;
  }
  return x > 10 ? 1 : 0;
}
