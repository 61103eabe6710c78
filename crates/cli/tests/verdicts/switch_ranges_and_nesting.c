// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int kind = 0;
  switch (x) {
  case -5 ... -1:
    kind = 1;
    break;
  case 0:
    switch (kind) {
    case 0:
      kind = 2;
      break;
    default:
      reach_error();
    }
    break;
  case 1 ... 9:
    kind = 3;
  }
  if (kind == 1)
    check(x < 0 && x > -6);
  if (kind == 3)
    check(x > 0 && x < 10);
  if (x >= 10)
    check(kind == 0);
  return 0;
}
