// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int sign(int x) {
  if (x > 0)
    return 1;
  if (x < 0)
    return -1;
  return 0;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int s = sign(x);
  check(s >= -1 && s <= 1);
  if (s == 1)
    check(x > 0);
  return 0;
}
